/** For upstreams that make one image per request: sends all requests at once. */

import { fulfilledOf } from "../../lib/fulfilled-of.ts";
import type { GeneratedImage } from "../media-calls.ts";

export const generateEach = (count: number, generate: () => Promise<GeneratedImage>): Promise<GeneratedImage[]> =>
  fulfilledOf(Array.from({ length: count }, generate));
