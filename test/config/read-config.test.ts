/** Settings of the environment: what is taken, and what is refused by name. */

import { expect, test } from "bun:test";
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
