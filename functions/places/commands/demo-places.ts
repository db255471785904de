import { PlaceFields } from '../catalog/place.ts';

/** Sights, parks, stations and libraries in Seattle, with their real positions: id, name, address, latitude, longitude. */
const SEATTLE: readonly (readonly [id: string, name: string, address: string, latitude: number, longitude: number])[] =
  [
    ['space-needle', 'Space Needle', '400 Broad St', 47.6205, -122.3493],
    ['pike-place-market', 'Pike Place Market', '85 Pike St', 47.6089, -122.3404],
    ['museum-of-pop-culture', 'Museum of Pop Culture', '325 5th Ave N', 47.6215, -122.3481],
    ['chihuly-garden-and-glass', 'Chihuly Garden and Glass', '305 Harrison St', 47.6206, -122.3505],
    ['pacific-science-center', 'Pacific Science Center', '200 2nd Ave N', 47.6194, -122.3513],
    ['climate-pledge-arena', 'Climate Pledge Arena', '334 1st Ave N', 47.6221, -122.354],
    ['seattle-art-museum', 'Seattle Art Museum', '1300 1st Ave', 47.6073, -122.3381],
    ['olympic-sculpture-park', 'Olympic Sculpture Park', '2901 Western Ave', 47.6166, -122.3553],
    ['seattle-aquarium', 'Seattle Aquarium', '1483 Alaskan Way', 47.6074, -122.343],
    ['seattle-great-wheel', 'Seattle Great Wheel', '1301 Alaskan Way', 47.6061, -122.3425],
    ['benaroya-hall', 'Benaroya Hall', '200 University St', 47.6081, -122.3369],
    ['paramount-theatre', 'Paramount Theatre', '911 Pine St', 47.6131, -122.3318],
    ['moore-theatre', 'Moore Theatre', '1932 2nd Ave', 47.6118, -122.3413],
    ['smith-tower', 'Smith Tower', '506 2nd Ave', 47.6019, -122.3318],
    ['columbia-center', 'Columbia Center', '701 5th Ave', 47.6045, -122.3305],
    ['pioneer-square', 'Pioneer Square', '100 Yesler Way', 47.6019, -122.3343],
    ['king-street-station', 'King Street Station', '303 S Jackson St', 47.5984, -122.3299],
    ['lumen-field', 'Lumen Field', '800 Occidental Ave S', 47.5952, -122.3316],
    ['t-mobile-park', 'T-Mobile Park', '1250 1st Ave S', 47.5914, -122.3325],
    ['wing-luke-museum', 'Wing Luke Museum', '719 S King St', 47.5982, -122.323],
    ['westlake-station', 'Westlake Station', '4th Ave and Pine St', 47.6115, -122.3369],
    ['capitol-hill-station', 'Capitol Hill Station', '140 Broadway E', 47.6192, -122.3203],
    [
      'university-of-washington-station',
      'University of Washington Station',
      '3720 Montlake Blvd NE',
      47.6497,
      -122.3038,
    ],
    ['library-central', 'Seattle Public Library, Central', '1000 4th Ave', 47.6067, -122.3325],
    ['library-capitol-hill', 'Seattle Public Library, Capitol Hill', '425 Harvard Ave E', 47.6226, -122.3221],
    ['library-queen-anne', 'Seattle Public Library, Queen Anne', '400 W Garfield St', 47.6333, -122.3626],
    ['library-ballard', 'Seattle Public Library, Ballard', '5614 22nd Ave NW', 47.6699, -122.3843],
    ['library-fremont', 'Seattle Public Library, Fremont', '731 N 35th St', 47.6507, -122.3486],
    ['volunteer-park', 'Volunteer Park', '1247 15th Ave E', 47.6301, -122.3151],
    ['seattle-asian-art-museum', 'Seattle Asian Art Museum', '1400 E Prospect St', 47.6303, -122.3142],
    ['kerry-park', 'Kerry Park', '211 W Highland Dr', 47.6295, -122.3599],
    ['gas-works-park', 'Gas Works Park', '2101 N Northlake Way', 47.6456, -122.3344],
    ['fremont-troll', 'Fremont Troll', 'Troll Ave N', 47.651, -122.3473],
    ['woodland-park-zoo', 'Woodland Park Zoo', '5500 Phinney Ave N', 47.6685, -122.3507],
    ['green-lake-park', 'Green Lake Park', '7201 E Green Lake Dr N', 47.6803, -122.3289],
    ['ballard-locks', 'Hiram M. Chittenden Locks', '3015 NW 54th St', 47.6655, -122.3973],
    ['museum-of-history-and-industry', 'Museum of History and Industry', '860 Terry Ave N', 47.6276, -122.3367],
    ['burke-museum', 'Burke Museum', '4303 Memorial Way NE', 47.6603, -122.3116],
    ['husky-stadium', 'Husky Stadium', '3800 Montlake Blvd NE', 47.6503, -122.3016],
    ['washington-park-arboretum', 'Washington Park Arboretum', '2300 Arboretum Dr E', 47.6398, -122.2945],
    ['discovery-park', 'Discovery Park', '3801 Discovery Park Blvd', 47.6573, -122.4062],
    ['alki-beach', 'Alki Beach', '2665 Alki Ave SW', 47.5793, -122.4097],
    ['museum-of-flight', 'Museum of Flight', '9404 E Marginal Way S', 47.518, -122.2964],
  ] as const;

/** Parks are wide, so check-ins are accepted from farther away. */
const PARK_METERS = 400;
const LIBRARY = 'Seattle Public Library';

export const DEMO_PLACES: readonly (PlaceFields & { readonly id: string })[] = SEATTLE.map(
  ([id, name, address, latitude, longitude]) => ({
    id,
    ...PlaceFields.parse({
      name,
      address,
      city: 'Seattle',
      state: 'WA',
      latitude,
      longitude,
      points: id.startsWith('library-') ? 5 : 10,
      ...(id.startsWith('library-') && { brand: LIBRARY }),
      ...(/-park$|arboretum|beach|zoo/.test(id) && { acceptedDistanceMeters: PARK_METERS }),
    }),
  }),
);

/** The ad unit promotes the museums. */
export const DEMO_AD_UNIT = {
  id: 'adu_demo',
  name: 'Museums of Seattle',
  placeIds: DEMO_PLACES.filter(({ name }) => name.includes('Museum')).map(({ id }) => id),
};
