import arrowDownToLine from 'lucide/dist/esm/icons/arrow-down-to-line.mjs';
import building from 'lucide/dist/esm/icons/building.mjs';
import chartLine from 'lucide/dist/esm/icons/chart-line.mjs';
import check from 'lucide/dist/esm/icons/check.mjs';
import circleDot from 'lucide/dist/esm/icons/circle-dot.mjs';
import clock from 'lucide/dist/esm/icons/clock.mjs';
import copy from 'lucide/dist/esm/icons/copy.mjs';
import eraser from 'lucide/dist/esm/icons/eraser.mjs';
import fileInput from 'lucide/dist/esm/icons/file-input.mjs';
import idCard from 'lucide/dist/esm/icons/id-card.mjs';
import info from 'lucide/dist/esm/icons/info.mjs';
import keyRound from 'lucide/dist/esm/icons/key-round.mjs';
import layoutDashboard from 'lucide/dist/esm/icons/layout-dashboard.mjs';
import list from 'lucide/dist/esm/icons/list.mjs';
import listRestart from 'lucide/dist/esm/icons/list-restart.mjs';
import lockKeyhole from 'lucide/dist/esm/icons/lock-keyhole.mjs';
import mapPin from 'lucide/dist/esm/icons/map-pin.mjs';
import megaphone from 'lucide/dist/esm/icons/megaphone.mjs';
import pause from 'lucide/dist/esm/icons/pause.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import receiptText from 'lucide/dist/esm/icons/receipt-text.mjs';
import rectangleHorizontal from 'lucide/dist/esm/icons/rectangle-horizontal.mjs';
import rotateCcw from 'lucide/dist/esm/icons/rotate-ccw.mjs';
import scrollText from 'lucide/dist/esm/icons/scroll-text.mjs';
import search from 'lucide/dist/esm/icons/search.mjs';
import server from 'lucide/dist/esm/icons/server.mjs';
import shieldCheck from 'lucide/dist/esm/icons/shield-check.mjs';
import smartphone from 'lucide/dist/esm/icons/smartphone.mjs';
import triangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs';
import users from 'lucide/dist/esm/icons/users.mjs';
import webhook from 'lucide/dist/esm/icons/webhook.mjs';
import workflow from 'lucide/dist/esm/icons/workflow.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { createElement } from 'preact';

/** The icons of the console, from Lucide (ISC). Only these are bundled. */
const ICONS = {
  account: building,
  'ad-unit': rectangleHorizontal,
  app: smartphone,
  audit: scrollText,
  'bulk-replay': listRestart,
  campaign: megaphone,
  check,
  clock,
  configuration: webhook,
  copy,
  cross: x,
  customer: users,
  dot: circleDot,
  down: arrowDownToLine,
  erasure: eraser,
  import: fileInput,
  info,
  key: keyRound,
  lock: lockKeyhole,
  log: list,
  overview: layoutDashboard,
  pause,
  person: idCard,
  place: mapPin,
  plus,
  replay: rotateCcw,
  review: receiptText,
  rule: workflow,
  search,
  shield: shieldCheck,
  system: server,
  usage: chartLine,
  warning: triangleAlert,
} as const;

export type IconName = keyof typeof ICONS;

/** An icon beside a text with the same meaning. It does not use `use`, which `setHTML` removes from refreshed parts. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {ICONS[name].map(([shape, attributes], at) => createElement(shape, { key: at, ...attributes }))}
    </svg>
  );
}
