/** Starts the dashboard in the browser. */

import { render } from "preact";
import { App } from "./app.tsx";
import { keepPlace } from "./keep-place.ts";
import { followLinks } from "./router.ts";
import { applyTheme } from "./state.ts";

applyTheme();
followLinks();
const root = document.getElementById("app")!;
keepPlace(root);
render(<App />, root);
