/**
 * What a transaction had read was no longer so when it came to write. Like a conflict that the engine finds itself it has the body
 * run again, which then reads what is.
 */
export class StaleRead extends Error {}
