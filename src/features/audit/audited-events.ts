/** How an event becomes a row. */
interface AuditedEvent {
  /** Properties of the event that are stored with it, where it has them; `all` for whichever it has. */
  readonly extended?: readonly string[] | 'all'
}

const routing = ['modelId', 'modelName', 'workflowInitiator', 'workflowVariables', 'timeSinceWfStarted']
const routingTask = [...routing, 'taskName', 'taskActor', 'actors', 'nodeVariables', 'timeSinceTaskStarted']

/** What happens to documents and is written down (contract: adapters 4.3; for workflow: workflow 11). */
export const auditedDocumentEvents: ReadonlyMap<string, AuditedEvent> = new Map<string, AuditedEvent>([
  ...plain(
    'documentCreated documentCreatedByCopy documentDuplicated documentMoved documentRemoved documentModified documentLocked',
    'documentUnlocked documentSecurityUpdated retentionActiveChanged lifecycle_transition_event documentCheckedIn proxyRemoved',
    'versionRemoved documentProxyPublished sectionContentPublished documentRestored documentTrashed documentUntrashed',
    'addedToCollection removedFromCollection afterMakeRecord afterUnsetRetention retentionExpired retentionRuleAttached',
    'afterSetLegalHold afterRemoveLegalHold blobDigestUpdated documentPublished documentUnPublished',
    'documentSubmitedForPublication documentPublicationApproved documentPublicationRejected documentWaitingPublication',
    'workflowCanceled auditLogRoute afterRelationCreation afterRelationModification afterRelationRemoval registrationSubmitted',
    'registrationAccepted registrationValidated comments_moderation',
  ),
  ['afterSetRetention', { extended: ['retainUntil'] }],
  ['afterExtendRetention', { extended: ['retainUntil'] }],
  ['download', { extended: 'all' }],
  ['search', { extended: 'all' }],
  ...['workflowTaskAssigned', 'workflowTaskReassigned', 'workflowTaskDelegated', 'workflowTaskCompleted'].map(
    (name) => [name, { extended: ['directive', 'dueDate', 'workflowTaskCompletionAction'] }] as const,
  ),
  ['afterWorkflowStarted', { extended: routing }],
  ['afterWorkflowFinish', { extended: routing }],
  ['beforeWorkflowCanceled', { extended: [...routing, 'pendingNodes'] }],
  ['afterWorkflowTaskCreated', { extended: routingTask }],
  ['afterWorkflowTaskEnded', { extended: [...routingTask, 'data', 'action'] }],
  ['afterWorkflowTaskReassigned', { extended: [...routingTask, 'comment'] }],
  ['afterWorkflowTaskDelegated', { extended: [...routingTask, 'delegatedActors', 'comment'] }],
])

const person: AuditedEvent = { extended: ['id'] }

/** The same of what happens to no document. */
export const auditedServerEvents: ReadonlyMap<string, AuditedEvent> = new Map<string, AuditedEvent>([
  ...plain('loginSuccess loginFailed logout'),
  ['user_created', person],
  ['user_modified', person],
  ['user_deleted', person],
  ['group_created', person],
  ['group_modified', person],
  ['group_deleted', person],
  ['notificationFailed', { extended: 'all' }],
])

function plain(...lines: readonly string[]): readonly (readonly [string, AuditedEvent])[] {
  return lines.flatMap((line) => line.split(' ')).map((name) => [name, {}] as const)
}
