/** A transcript of another program, whose claims don't hold: one seat is marked as changed, and all are said to agree. */
export const transcript = `AI Roundtable Open Debate · 2 models

Tea or coffee?

Answer: Tea. (All 2 models agreed)

Model Responses

Ada 2 (changed mind)

Answer: Tea.

I keep my view of tea.

Bell 7B

Answer: Coffee.

I keep my view of coffee.

Final Summary

All is well.

All 2 models agreed`
