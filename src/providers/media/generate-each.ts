/** For upstreams that make one image a request: as many requests at once as images are asked for. */

import { fulfilledOf } from "../../lib/fulfilled-of.ts";
import type { GeneratedImage } from "../media-calls.ts";

export const generateEach = (count: number, generate: () => Promise<GeneratedImage>): Promise<GeneratedImage[]> =>
  fulfilledOf(Array.from({ length: count }, generate));
