/**
 * Thrown where a step that runs ahead of the transaction writes and others follow: what it writes would stay when one of them fails.
 * The call then runs anew, in one transaction.
 */
export class TransactionNeeded extends Error {}
