import { page, type Screen } from '../pages/screen.ts';

/** Where the side bar has no room, the frame shows it as a page. */
export const menuScreen: Screen = () => page('Menu', <h1 class="hidden">Menu</h1>);
