/** Settings of the environment: what is taken, and what is refused by name. */

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config/config.ts";
import { folderOfFile } from "../support/folder-of-file.ts";

test.each([
  ["PORT", "0x50"],
  ["PORT", "8e3"],
  ["PORT", "80.0"],
  ["SIGNALBOX_COOLDOWN_MS", "-1"],
  ["SIGNALBOX_ALLOWED_HOSTS", "https://files.example.com"],
  ["SIGNALBOX_ALLOWED_HOSTS", "files.example.com,10.0.0.7/images"],
  ["SIGNALBOX_CORS_ORIGINS", "app.example.com"],
  ["SIGNALBOX_CORS_ORIGINS", "https://a.example.com,https://app.example.com/chat"],
  ["SIGNALBOX_CORS_ORIGINS", "https://*.example.com"],
  ["SIGNALBOX_TRUSTED_PROXIES", "10.0.0.0/8,proxy.example.com"],
  ["SIGNALBOX_TRUSTED_PROXIES", "10.0.0.0/33"],
  ["SIGNALBOX_USER_HEADER", "X-User: Id"],
])("%s=%s stops the start with one line that says so", (name, value) => {
  const wrong = value.split(",").at(-1)!;
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(new RegExp(`^${name} .+\\.$`));
  expect(read).toThrow(`"${wrong}"; it may `);
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

test("a settings file that is named must be there, and a file", () => {
  expect(() => readConfig({}, { config: "none.yaml" })).toThrow('--config is "none.yaml", which does not exist');
  expect(() => readConfig({ SIGNALBOX_CONFIG: "none.yaml" })).toThrow('SIGNALBOX_CONFIG is "none.yaml", which does not exist');
  expect(() => readConfig({}, { config: tmpdir() })).toThrow(`The settings file ${tmpdir()} cannot be read (EISDIR).`);
});

test("an empty --host is no address, an empty SIGNALBOX_CONFIG no file", () => {
  expect(() => readConfig({}, { host: "" })).toThrow('--host is ""; it may be an address of this machine.');
  expect(readConfig({ SIGNALBOX_CONFIG: "" }).settingsPath).toBe("signalbox.yaml");
});

test("a variable of blanks is unset, as an empty one: a password of blanks would open a public address to everybody", () => {
  const blank = { SIGNALBOX_ADMIN_PASSWORD: "  ", SIGNALBOX_METRICS_TOKEN: '" "', SIGNALBOX_CONFIG: " ", HOST: "\t", PORT: " " };
  expect(readConfig(blank)).toMatchObject({
    adminPassword: undefined,
    metricsToken: undefined,
    settingsPath: "signalbox.yaml",
    host: "127.0.0.1",
    port: 8484,
  });
});

test.each(['"', "'"])(
  "what stands between %s in an env file is read without, but for a secret that may have sealed keys",
  (quote) => {
    const quoted = (text: string) => `${quote}${text}${quote}`;
    const read = readConfig({
      PORT: quoted("9000"),
      SIGNALBOX_ADMIN_PASSWORD: quoted(' it\'s "mine" '),
      SIGNALBOX_PUBLIC_URL: quoted("https://ai.example.com"),
      SIGNALBOX_CONFIG: quoted(""),
      SIGNALBOX_SECRET: quoted("sealed"),
    });
    expect(read).toMatchObject({
      port: 9000,
      adminPassword: ' it\'s "mine" ',
      publicUrl: "https://ai.example.com",
      settingsPath: "signalbox.yaml",
      secret: quoted("sealed"),
    });
  },
);

test("an IPv6 address may stand in brackets, as in a URL", () => {
  expect(readConfig({ HOST: "[::1]" }).host).toBe("::1");
  expect(readConfig({}, { host: "[::]" }).host).toBe("::");
});

const folder = folderOfFile();

test("a variable may be given as a file, as Docker and Kubernetes hand out secrets; set itself, it counts", () => {
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const given = {
    SIGNALBOX_ADMIN_PASSWORD_FILE: file("password", "correct horse\n"),
    SIGNALBOX_SECRET_FILE: file("secret", " sealed \r\n"),
    PORT_FILE: file("port", "9000"),
  };
  expect(readConfig(given)).toMatchObject({ adminPassword: "correct horse", secret: " sealed ", port: 9000 });
  expect(readConfig({ ...given, PORT: "9001" }).port).toBe(9001);
  expect(readConfig({ SIGNALBOX_DB_FILE: file("path", "elsewhere.db") }).databasePath).not.toContain("elsewhere");
  const lost = join(folder, "none");
  expect(() => readConfig({ SIGNALBOX_SECRET_FILE: lost })).toThrow(
    `SIGNALBOX_SECRET_FILE is "${lost}", which cannot be read (ENOENT).`,
  );
});

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

test("a setting whose value is commented out counts as absent, a misspelt one does not", () => {
  expect(complaintAbout("providers:\n#  openai:\n#    key: sk\ntimeouts:\nlog_level:\nport:\n")).toBe("");
  expect(complaintAbout("provders:\n")).toContain("unknown setting `provders` (line 1). Did you mean `providers`?");
  expect(complaintAbout("timeouts:\n  idle_ms:\n")).toContain("`timeouts.idle_ms` must be a whole number");
  for (const text of ["only words\n", "- port: 1\n"]) expect(complaintAbout(text)).toContain("contains no settings");
});

test.each([
  ["timeouts:\n  idel_ms: 5\n", "`timeouts.idel_ms` (line 2). Did you mean `timeouts.idle_ms`?"],
  ["models:\n  - id: m\n    enabld: true\n", "`models.0.enabld` (line 3). Did you mean `models.0.enabled`?"],
  ["providers:\n  house:\n    url: x\n", "`providers.house.url` (line 3). See the schema printed by"],
  ["providers:\n  house:\n    api_key: x\n", "`providers.house.api_key` (line 3). Did you mean `providers.house.key`?"],
  ["providers:\n  house:\n    baseurl: x\n", "`providers.house.baseurl` (line 3). Did you mean `providers.house.base_url`?"],
  ["colour: red\n", "`colour` (line 1). See the schema printed by"],
])("an unknown setting is named with the one that it resembles: %j", (text, complaint) => {
  expect(complaintAbout(text)).toContain(`unknown setting ${complaint}`);
});

test("a provider of any name is checked", () => {
  expect(complaintAbout("providers:\n  My House:\n    baseurl: x\n")).toContain("unknown setting `providers.My House.baseurl`");
  expect(complaintAbout("providers:\n  one:\n    key: x\n  other:\n    key: x\n")).toBe("");
});

test.each([
  ["public_url: example.com\n", '`public_url` must be a string that begins with http:// or https://; it was "example.com".'],
  ["models: [{ id: m, shutdown_date: soon }]\n", '`models.0.shutdown_date` must be a string such as 2027-01-14; it was "soon".'],
])("what a setting must look like is said in words: %j", (text, complaint) => {
  expect(complaintAbout(text)).toContain(complaint);
});

test.each([
  ["providers: { house: { keys: [sk-1234] } }", "providers.house.keys.0"],
  ["providers: { house: { keys: { a: sk-1234 } } }", "providers.house.keys"],
  ["providers: { house: { key: [sk-1234] } }", "providers.house.key"],
  ["providers: { my.house: { key: { is: sk-1234 } } }", "providers.my.house.key"],
  ["providers: { house: { headers: { authorization: [sk-1234] } } }", "providers.house.headers.authorization"],
  ["providers: { house: sk-1234 }", "providers.house"],
  ["providers: [sk-1234]", "providers"],
  ["metrics_token: [sk-1234]", "metrics_token"],
  ["admin_token: sk-1234", "admin_token"],
  ["alert_url: sk-1234", "alert_url"],
])("what may be a key is not repeated: %j", (text, setting) => {
  const complaint = complaintAbout(`${text}\n`);
  expect(complaint).toContain(`\`${setting}\` must be`);
  expect(complaint).not.toContain("sk-1234");
  expect(complaint).toEndWith(".");
});

test("a public_url is a URL in the file as well", () => {
  expect(complaintAbout("public_url: https://\n")).toBe('public_url is "https://"; it may be an http or https URL.');
  for (const url of ["https://h/?key=1", "https://h#top", "https://h/v1?"])
    expect(complaintAbout(`public_url: "${url}"\n`)).toBe(
      `public_url is "${url}"; it may be an http or https URL without a query or a fragment.`,
    );
});

test("what nothing sets has the contract's defaults", () => {
  const path = join(folder, "nothing.yaml");
  writeFileSync(path, "");
  expect(readConfig({}, { config: path })).toMatchObject({
    host: "127.0.0.1",
    port: 8484,
    databasePath: "data/signalbox.db",
    durability: "full",
    drainMs: 30_000,
    timeouts: { connectMs: 5_000, firstByteMs: 60_000, idleMs: 30_000, totalMs: 600_000 },
    cooldownMs: 30_000,
    clockOffsetMs: 0,
    allowedHosts: [],
    corsOrigins: [],
  });
});

test("a flag wins over the environment, the environment over the file, the file over the default", () => {
  const path = join(folder, "everything.yaml");
  writeFileSync(
    path,
    `host: file.local
port: 1
database: file.db
public_url: https://file.example.com
durability: normal
log_level: warn
drain_seconds: 1
timeouts: { connect_ms: 1, first_byte_ms: 2, idle_ms: 3, total_ms: 4 }
cooldown_ms: 5
allowed_hosts: [file.example.com]
cors_origins: [https://file.example.com]
admin_token: of-the-file-0123456789abc
alert_url: https://file.example.com/hook?a=b
backups: { folder: /of-the-file, every_hours: 2, keep: 3 }
metrics_token: of-the-file
`,
  );
  const inFile = readConfig({}, { config: path });
  expect(inFile).toMatchObject({
    host: "file.local",
    port: 1,
    publicUrl: "https://file.example.com",
    durability: "normal",
    logLevel: "warn",
    drainMs: 1_000,
    timeouts: { connectMs: 1, firstByteMs: 2, idleMs: 3, totalMs: 4 },
    cooldownMs: 5,
    allowedHosts: ["file.example.com"],
    corsOrigins: ["https://file.example.com"],
    adminToken: "of-the-file-0123456789abc",
    alertUrl: "https://file.example.com/hook?a=b",
    backups: { folder: "/of-the-file", everyMs: 7_200_000, keep: 3 },
    metricsToken: "of-the-file",
  });
  expect(inFile.databasePath).toEndWith("file.db");

  const environment = {
    SIGNALBOX_CONFIG: path,
    HOST: "environment.local",
    PORT: "2",
    SIGNALBOX_DB: "environment.db",
    SIGNALBOX_PUBLIC_URL: "https://environment.example.com",
    SIGNALBOX_DURABILITY: "full",
    LOG_LEVEL: "error",
    SIGNALBOX_DRAIN_S: "2",
    SIGNALBOX_TIMEOUT_CONNECT_MS: "11",
    SIGNALBOX_TIMEOUT_FIRST_BYTE_MS: "12",
    SIGNALBOX_TIMEOUT_IDLE_MS: "13",
    SIGNALBOX_TIMEOUT_TOTAL_MS: "14",
    SIGNALBOX_COOLDOWN_MS: "15",
    SIGNALBOX_ALLOWED_HOSTS: "environment.example.com",
    SIGNALBOX_CORS_ORIGINS: "https://environment.example.com",
    SIGNALBOX_ADMIN_TOKEN: "of-the-environment-0123456789",
    SIGNALBOX_ALERT_URL: "https://environment.example.com/hook",
    SIGNALBOX_BACKUP_FOLDER: "/of-the-environment",
    SIGNALBOX_METRICS_TOKEN: "of-the-environment",
  };
  const inEnvironment = readConfig(environment);
  expect(inEnvironment).toMatchObject({
    host: "environment.local",
    port: 2,
    publicUrl: "https://environment.example.com",
    durability: "full",
    logLevel: "error",
    drainMs: 2_000,
    timeouts: { connectMs: 11, firstByteMs: 12, idleMs: 13, totalMs: 14 },
    cooldownMs: 15,
    allowedHosts: ["environment.example.com"],
    corsOrigins: ["https://environment.example.com"],
    adminToken: "of-the-environment-0123456789",
    alertUrl: "https://environment.example.com/hook",
    backups: { folder: "/of-the-environment", everyMs: 7_200_000, keep: 3 },
    metricsToken: "of-the-environment",
  });
  expect(inEnvironment.databasePath).toEndWith("environment.db");

  const byFlags = readConfig(environment, { host: "flag.local", port: "3", db: "flag.db", config: path });
  expect(byFlags).toMatchObject({ host: "flag.local", port: 3 });
  expect(byFlags.databasePath).toEndWith("flag.db");
});
