/** An aggregation rule turns the votes on one question into one decision, and calls a tie a tie. */

/** One seat's vote on one question. A seat without a vote isn't in the list. */
export interface Vote<Value = string> {
  readonly seat: string
  /** The vote of the last round. */
  readonly value: Value
  /** 0 to 1, as given in the sealed round. Later confidence rises with every round and never counts. */
  readonly sealedConfidence?: number
  /** The votes of all rounds, the sealed one first. Null if the seat gave none. */
  readonly rounds?: readonly (Value | null)[]
  /** The share of the table that the seat expects for each option. */
  readonly predicted?: ReadonlyMap<string, number>
}

export interface Context {
  /** All options in their order, for a choice or a ranking. */
  readonly options: readonly string[]
}

export interface Decision<Value = string> {
  /** Null in a tie, and if nobody voted. */
  readonly value: Value | null
  /** The options that the rule can't decide between: at least two, or none. */
  readonly tied: readonly string[]
  /** What each option scored, in the rule's own unit. */
  readonly scores: Readonly<Record<string, number>>
  /** What else a reader should know: a cycle, values that were left out. */
  readonly notes: readonly string[]
}

/** `decide` is pure, never throws, and ignores the order of the votes. */
export interface Rule<Value = string> {
  readonly id: string
  readonly label: string
  /** One plain sentence. */
  readonly summary: string
  decide(votes: readonly Vote<Value>[], context: Context): Decision<Value>
}

/** The votes of one question: seat to choice. */
export type Ballot = ReadonlyMap<string, string>

/** A question whose right answer is known. */
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
  /** The maker of a seat's model: models of one maker make the same errors. */
  readonly familyOf: (seat: string) => string
}
