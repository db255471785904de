import { areaOf } from './area.ts';
import { packOf } from './pack.ts';
import { parcelOf } from './parcel.ts';
import { type Derivation, NOTHING, type Subject, together } from './record/subject.ts';

/** Measures in other units, and prices by them. */
export async function unit(subject: Subject): Promise<Derivation> {
  if (subject.type === 'property') return areaOf(subject);
  return subject.type === 'product' ? together([packOf(subject), parcelOf(subject)]) : NOTHING;
}
