/** Natural Earth's countries, in the two degrees of detail that are used. */
declare module 'world-atlas/countries-110m.json' {
  import type { GeometryCollection, Topology } from 'topojson-specification';

  const topology: Topology<{ readonly countries: GeometryCollection; readonly land: GeometryCollection }>;
  export default topology;
}
declare module 'world-atlas/countries-50m.json' {
  import topology from 'world-atlas/countries-110m.json';

  export default topology;
}
