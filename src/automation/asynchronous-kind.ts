/** The kind of job that runs an operation asynchronously. Such a job may itself wait for all other jobs. */
export const asynchronousKind = 'automation.call'
