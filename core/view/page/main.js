// The page: reads the data, makes the views and connects them.

import { byId } from "./dom.js";

byId("app").hidden = false;
