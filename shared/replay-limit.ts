/** The most replays of one failed run, which the webhooks domain enforces and the console shows. */
export const REPLAYS_MAX = 3;
