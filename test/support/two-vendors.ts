/** A gateway between OpenAI and Anthropic, both stubs on loopback that answer as told; for the tests of the file that calls this. */

import type { Environment } from "../../src/config/config.ts";
import { gatewayOfFile } from "./gateway-of-file.ts";
import { upstreamStubOfFile } from "./upstream-stub.ts";

/** `live`: a live key. */
export const twoVendorsOfFile = async (environment: Environment = {}) => {
  const openai = upstreamStubOfFile();
  const anthropic = upstreamStubOfFile();
  const gateway = await gatewayOfFile({
    environment: {
      OPENAI_API_KEY: "sk-openai",
      OPENAI_BASE_URL: `${openai.url}/v1`,
      ANTHROPIC_API_KEY: "sk-anthropic",
      ANTHROPIC_BASE_URL: anthropic.url,
      ...environment,
    },
  });
  return { gateway, openai, anthropic, live: await gateway.key({ mode: "live" }) };
};
