/** Starts the dashboard in the browser. */

import "./valid-language.ts";
import { render } from "preact";
import { App } from "./app.tsx";
import { BASE_PATH } from "./base-path.ts";
import { keepPlace } from "./keep-place.ts";
import { followLinks, ROOT } from "./router.ts";
import { applyTheme } from "./state.ts";

applyTheme();
followLinks();
const root = document.getElementById("app")!;
if (location.pathname.startsWith(ROOT)) {
  keepPlace(root);
  render(<App />, root);
} else {
  // Opened on the server's own address, where its base path works too.
  location.replace(BASE_PATH + location.pathname + location.search + location.hash);
}
