/** One gateway for the tests of the file that calls this: stopped after them. */

import { afterAll } from "bun:test";
import { type Gateway, type GatewayOptions, startGateway } from "./gateway.ts";

export const gatewayOfFile = async (options: GatewayOptions = {}): Promise<Gateway> => {
  const gateway = await startGateway(options);
  afterAll(() => gateway.stop());
  return gateway;
};
