/** `signalbox openapi`: the document as the server would serve it, without a server. */

import { createApp } from "../../app.ts";
import { readConfig } from "../../config/config.ts";
import { openApiDocument } from "../../http/openapi/openapi-document.ts";
import { VERSION } from "../../version.ts";
import { printJson } from "../command.ts";
import { withEmptyPlatform } from "../with-platform.ts";

export const printOpenApi = (): Promise<number> =>
  withEmptyPlatform({ ...readConfig({}, {}), logLevel: "silent" }, async (platform) =>
    printJson(openApiDocument(createApp(platform).routes(), VERSION)),
  );
