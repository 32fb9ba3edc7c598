/** The adapter of each search engine. */

import { ownValue } from "../../lib/own-value.ts";
import type { MediaEndpoint } from "../media/send-media-request.ts";
import type { Provider } from "../provider.ts";
import { brave } from "./brave.ts";
import { exa } from "./exa.ts";
import { searxng } from "./searxng.ts";
import { tavily } from "./tavily.ts";

const CONNECT: Record<string, (endpoint: MediaEndpoint) => Pick<Provider, "search">> = { tavily, brave, searxng, exa };

export const connectSearch = (providerId: string, endpoint: MediaEndpoint): Pick<Provider, "search"> =>
  ownValue(CONNECT, providerId)?.(endpoint) ?? {};
