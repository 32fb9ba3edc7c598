/** A gateway between OpenAI and Anthropic, both stubs on loopback that answer as told. */

import type { Environment } from "../../src/config/config.ts";
import { type Gateway, startGateway, type TestKey } from "./gateway.ts";
import { startUpstreamStub, type UpstreamStub } from "./upstream-stub.ts";

export type TwoVendors = {
  gateway: Gateway;
  openai: UpstreamStub;
  anthropic: UpstreamStub;
  /** A live key. */
  live: TestKey;
  stop(): Promise<void>;
};

export const startTwoVendors = async (environment: Environment = {}): Promise<TwoVendors> => {
  const openai = startUpstreamStub();
  const anthropic = startUpstreamStub();
  const gateway = await startGateway({
    environment: {
      OPENAI_API_KEY: "sk-openai",
      OPENAI_BASE_URL: `${openai.url}/v1`,
      ANTHROPIC_API_KEY: "sk-anthropic",
      ANTHROPIC_BASE_URL: anthropic.url,
      ...environment,
    },
  });
  return {
    gateway,
    openai,
    anthropic,
    live: await gateway.key({ mode: "live" }),
    stop: async () => {
      await gateway.stop();
      openai.stop();
      anthropic.stop();
    },
  };
};
