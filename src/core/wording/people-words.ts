/** People at the table: what readers are told about them, apart from the models. */
import type { PartCount, PeopleApart } from '../verdict/people.ts'
import { models } from './numbers.ts'

type Holder = { readonly person?: boolean }

/** "6 models", or "6 seats" if people hold some of them. */
export const seatCount = (seats: readonly Holder[], count: number): string =>
  seats.some(({ person }) => person) ? models(count).replace('model', 'seat') : models(count)

/** "people 1 of 2, models 3 of 4": how many seats of each gave the leading answer, or what would lead without the others. */
export const apartWords = (
  { people, models: rest }: PeopleApart,
  leads: boolean,
  label: (camp: string) => string,
): string => {
  if (leads) return `people ${people.agree} of ${people.of}, models ${rest.agree} of ${rest.of}`
  const lead = ({ leading }: PartCount): string => (leading === null ? 'no lead' : label(leading))
  return people.leading === null && rest.leading === null
    ? ''
    : `people alone: ${lead(people)}, models alone: ${lead(rest)}`
}
