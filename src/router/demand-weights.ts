/** Made by eval/routing/train-demand.ts from frames of our own (CC0-1.0); not edited by hand. */

/** The encoder whose vectors these weights read. */
export const DEMAND_REVISION = "minilm-static-1";
export const DEMAND_SCALE = 0.013576347972298194;
export const DEMAND_BIAS = -0.0034585686725697507;
/** One signed byte a dimension, base64. */
export const DEMAND_WEIGHTS =
  "//MCC1PPf774C1McANIPHgAt7gAECvzy1R0CFP5P/OsHCgIh/RTLBv/8FAviDwwY3wzvJRIf7/j0HxDp7hPz/OUHHAEE/QDutB7G+fHaBRcA+uP73OYAL/QO5SD08OnjD98XFgoBBOkM4QYV+ATexe3/6O703+4R+fT2FBQv/uEhKerwDQgWAfL8D/cTDQAC1AjjGf4I6tccD/f8JCMY4RH05xL/9xbQARP8FPrvI+sO/ifvGQnm8QvfA/wO9wr4H//+HwoMEPMS8/4OBu4JAAAL+esG+xbp/ALhESAL9AYH8QYm3xUIBekGDgsTA+7gHAQD+OMKBQkN++D7IQv5Ag==";
