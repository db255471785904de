/**
 * Definitions of UCUM and of NIST SP 811, appendix B: pressures by the pound-force, by mercury of 13595.1 kg/m3 and water
 * of 1000 kg/m3; powers by the foot-pound-force and the Btu of the International Table.
 */
export const PRESSURE = `
1 bar = 100000 Pa
1 atm = 101325 Pa
1 kPa = 1000 Pa
1 hPa = 1 mbar
1 MPa = 10 bar
1 att = 98066.5 Pa
760 Torr = 101325 Pa
1 mmHg = 133.322387415 Pa
1 cmHg = 10 mmHg
1 inHg = 3386.388640341 Pa
1 inHg = 25.4 mmHg
1 mmH2O = 9.80665 Pa
1 inH2O = 249.08891 Pa
12 inH2O = 1 ftH2O
144 psf = 1 psi
1 ksi = 1000 psi
645.16 psi = 4448221.6152605 Pa
1 N/mm2 = 1 MPa
10 dyn/cm2 = 1 Pa
`;

export const POWER = `
1 kW = 1000 W
1 hp = 745.69987158227022 W
1 hp = 550 ft.lbf/s
1 PS = 735.49875 W
1 PS = 75 kgf.m/s
1 hp_e = 746 W
3600 Btu/h = 1055.05585262 W
1 MBH = 1000 Btu/h
1 TR = 12000 Btu/h
60 ft.lbf/min = 1 ft.lbf/s
1 cal_th/s = 4.184 W
1 kcal_IT/h = 1.163 W
1 W = 10000000 erg/s
`;

export const FORCE = `
1 kN = 1000 N
1 N = 100000 dyn
1 kgf = 9.80665 N
1 gf = 0.00980665 N
1 tf = 1000 kgf
1 lbf = 4.4482216152605 N
16 ozf = 1 lbf
1 kip = 1000 lbf
1 tonf_us = 2000 lbf
1 tonf_uk = 2240 lbf
1 pdl = 0.138254954376 N
`;

export const ANGLE = `
1 turn = 360 deg
1 deg = 60 arcmin
1 arcmin = 60 arcsec
1 arcsec = 1000 mas
1 gon = 0.9 deg
4 quadrant = 1 turn
6400 mil_nato = 360 deg
1 rad = 1000 mrad
`;

export const TIME = `
1 min = 60 s
1 h = 60 min
1 d = 24 h
1 wk = 7 d
1 fortnight = 14 d
1 yr = 365.25 d
12 mo = 1 yr
1 yr_365 = 365 d
1 yr_g = 365.2425 d
1 decade = 10 yr
1 century = 100 yr
1 s = 1000 ms
1 ms = 1000 us
1 us = 1000 ns
`;

export const FREQUENCY = `
1 Hz = 60 rpm
1 kHz = 1000 Hz
1 MHz = 1000000 Hz
1 GHz = 1000 MHz
1 Hz = 1000 mHz
1 rpm = 60 rph
1 rps = 1 Hz
90 bpm = 1.5 Hz
`;

export const FUEL = `
1 km/L = 100 L/100km
8 L/100km = 12.5 km/L
5 L/100km = 0.5 L/10km
100 L/100km = 1 L/km
4 mi/gal_us = 25 gal_us/100mi
40 mi/gal_uk = 2.5 gal_uk/100mi
1 mi/L = 1.609344 km/L
3.785411784 mi/gal_us = 1.609344 km/L
4.54609 mi/gal_uk = 1.609344 km/L
`;

export const DATA_RATE = `
1 B/s = 8 bit/s
1 Mbit/s = 125 kB/s
1 Gbit/s = 1000 Mbit/s
1 MiB/s = 1048576 B/s
1 kB/s = 60 kB/min
1 GB/h = 1000 MB/h
3.6 MB/h = 1 kB/s
`;
