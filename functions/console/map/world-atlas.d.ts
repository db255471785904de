/** Natural Earth's countries, at two degrees of detail. */
declare module 'world-atlas/countries-110m.json' {
  const topology: import('./land.ts').Countries;
  export default topology;
}
declare module 'world-atlas/countries-50m.json' {
  const topology: import('./land.ts').Countries;
  export default topology;
}
