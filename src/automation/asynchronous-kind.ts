/** The kind of job that runs an operation which nobody waits for. Such a job may itself wait for all others. */
export const asynchronousKind = 'automation.call'
