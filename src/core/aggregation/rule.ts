/** What an aggregation rule is: it turns the votes of one question into one decision, and names ties as ties. */

/** One seat's vote on one question. A seat that gave none is not in the list. */
export interface Vote<Value = string> {
  readonly seat: string
  /** The vote of the last round. */
  readonly value: Value
  /** 0 to 1, as given in the sealed round: later confidence climbs with every round and never weighs. */
  readonly sealedConfidence?: number
  /** The votes of all rounds, the sealed one first; null where the seat gave none. */
  readonly rounds?: readonly (Value | null)[]
  /** How large a share of the table the seat expects for each option. */
  readonly predicted?: ReadonlyMap<string, number>
}

export interface Context {
  /** All options in their order, for a choice or a ranking. */
  readonly options: readonly string[]
}

export interface Decision<Value = string> {
  /** Null in a tie, and where nobody voted. */
  readonly value: Value | null
  /** The options between which the rule cannot decide; empty unless there are at least two. */
  readonly tied: readonly string[]
  /** What each option got, in the rule's own unit. */
  readonly scores: Readonly<Record<string, number>>
  /** What a reader should know besides: a cycle, values left out. */
  readonly notes: readonly string[]
}

/** `decide` is pure, never throws, and does not look at the order of the votes. */
export interface Rule<Value = string> {
  readonly id: string
  readonly label: string
  /** One plain sentence. */
  readonly summary: string
  decide(votes: readonly Vote<Value>[], context: Context): Decision<Value>
}

/** The votes of one question: seat to choice. */
export type Ballot = ReadonlyMap<string, string>

/** A question of which the right answer is known. */
export interface Labelled {
  readonly votes: Ballot
  readonly gold: string
}

/** What rules may learn from before they decide. */
export interface Learning {
  readonly seats: readonly string[]
  /** How many options a question has. */
  readonly options: number
  readonly labelled: readonly Labelled[]
  /** Questions without their answers. */
  readonly ballots: readonly Ballot[]
  /** Who made the model of a seat: models of one maker err together. */
  readonly familyOf: (seat: string) => string
}
