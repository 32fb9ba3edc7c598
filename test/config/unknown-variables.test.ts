import { expect, test } from "bun:test";
import { unknownVariables } from "../../src/config/variables.ts";

test("a misspelt setting is named, with the setting it resembles", () => {
  const hintOf = (name: string) => unknownVariables({ [name]: "1" }, {})[0];
  expect(hintOf("SIGNALBOX_DRIAN_S")).toBe(
    "SIGNALBOX_DRIAN_S is not a setting and has no effect: did you mean SIGNALBOX_DRAIN_S?",
  );
  expect(hintOf("SIGNALBOX_PORT")).toEndWith("did you mean PORT?");
  expect(hintOf("SIGNALBOX_LOGLEVEL")).toEndWith("did you mean LOG_LEVEL?");
  expect(hintOf("SIGNALBOX_TIMEOUT_IDLE")).toEndWith("did you mean SIGNALBOX_TIMEOUT_IDLE_MS?");
  // Its value is a path already.
  expect(hintOf("SIGNALBOX_DB_FILE")).toEndWith("did you mean SIGNALBOX_DB?");
  expect(hintOf("SIGNALBOX_FAVOURITE_COLOUR")).toEndWith("docs/configuration.md lists those that are.");
});

test("settings, empty variables and those meant for others are not mentioned", () => {
  const environment = {
    SIGNALBOX_DB: "x.db",
    SIGNALBOX_NEW_SECRET: "s",
    SIGNALBOX_SECRET_FILE: "/run/secrets/s",
    SIGNALBOX_DRIAN_S: "",
    SIGNALBOX_KEY: "pk_live_x",
    SIGNALBOX_SERVICE_HOST: "10.0.0.1",
    SIGNALBOX_SERVICE_PORT_HTTP: "8484",
    SIGNALBOX_PORT: "tcp://10.0.0.1:8484",
    SIGNALBOX_PORT_8484_TCP_ADDR: "10.0.0.1",
    SIGNALBOX_UPSTREAM_KEY: "sk",
    OTHER_DRIAN_S: "5",
  };
  expect(unknownVariables(environment, { providers: { openai: { key: "env:SIGNALBOX_UPSTREAM_KEY" } } })).toEqual([]);
});
