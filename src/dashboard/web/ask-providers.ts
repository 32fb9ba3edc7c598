/** Reads the providers, or changes one: the answer has all of them anew. */

import type { ProvidersAnswer } from "../wire.ts";
import { call } from "./api.ts";
import { setup } from "./state.ts";

export const askProviders = async (method: "GET" | "PUT" | "DELETE", path: string, body?: object): Promise<void> => {
  setup.value = await call<ProvidersAnswer>(method, path, body);
};

export const loadProviders = (): Promise<void> => askProviders("GET", "/providers");
