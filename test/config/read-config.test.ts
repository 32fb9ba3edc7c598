/** Settings of the environment: what is taken, and what is refused by name. */

import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config/config.ts";

test.each([
  ["PORT", "0x50"],
  ["PORT", "8e3"],
  ["PORT", "80.0"],
  ["SIGNALBOX_COOLDOWN_MS", "-1"],
  ["SIGNALBOX_ALLOWED_HOSTS", "https://files.example.com"],
  ["SIGNALBOX_ALLOWED_HOSTS", "files.example.com,10.0.0.7/images"],
  ["SIGNALBOX_CORS_ORIGINS", "app.example.com"],
  ["SIGNALBOX_CORS_ORIGINS", "https://a.example.com,https://app.example.com/chat"],
])("%s=%s stops the start with one line that says so", (name, value) => {
  const wrong = value.split(",").at(-1)!;
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} .*"${wrong}"; it may .+\\.$`));
});

test("hosts are compared as URLs write them", () => {
  expect(readConfig({ SIGNALBOX_ALLOWED_HOSTS: "Files.Example.com, 10.0.0.7:8080," }).allowedHosts).toEqual([
    "files.example.com",
    "10.0.0.7:8080",
  ]);
  expect(readConfig({ PORT: "80" }).port).toBe(80);
});

test("an empty --db is no file", () => {
  expect(() => readConfig({}, { db: "" })).toThrow('--db is ""; it may be the path of the SQLite file.');
});

test("an empty --host is no address, an empty SIGNALBOX_CONFIG no file", () => {
  expect(() => readConfig({}, { host: "" })).toThrow('--host is ""; it may be an address of this machine.');
  expect(readConfig({ SIGNALBOX_CONFIG: "" }).settingsPath).toBe("signalbox.yaml");
});

test("an IPv6 address may stand in brackets, as in a URL", () => {
  expect(readConfig({ HOST: "[::1]" }).host).toBe("::1");
  expect(readConfig({}, { host: "[::]" }).host).toBe("::");
});

const folder = mkdtempSync(join(tmpdir(), "signalbox-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a settings file is refused with. */
const complaintAbout = (yaml: string): string => {
  const path = join(folder, "signalbox.yaml");
  writeFileSync(path, yaml);
  try {
    readConfig({}, { config: path });
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

test.each([
  ["timeouts.connect_ms", "timeouts:\n  connect_ms"],
  ["timeouts.total_ms", "timeouts:\n  total_ms"],
  ["cooldown_ms", "cooldown_ms"],
  ["models.0.first_byte_ms", "models:\n  - id: m\n    first_byte_ms"],
])("%s of a month is refused: timers would go off at once", (name, setting) => {
  expect(complaintAbout(`${setting}: 86400000\n`)).toBe("");
  expect(complaintAbout(`${setting}: 2592000000\n`)).toContain(
    `\`${name}\` must be a whole number from 1 to 86400000; it was 2592000000.`,
  );
});

test("a public_url is a URL in the file as well", () => {
  expect(complaintAbout("public_url: https://\n")).toBe('public_url is "https://"; it may be an http or https URL.');
  for (const url of ["https://h/?key=1", "https://h#top", "https://h/v1?"])
    expect(complaintAbout(`public_url: "${url}"\n`)).toBe(
      `public_url is "${url}"; it may be an http or https URL without a query or a fragment.`,
    );
});
