/** Something that people can be told of: which events, where one can subscribe to it, and by which mail (contract: adapters 7.4). */
export interface NotificationDefinition {
  readonly name: string
  /** The type of a document, or of one above it, that offers it; undefined: any document does. */
  readonly availableIn?: string
  /** Nobody subscribes: it is sent to the `recipients` that the event names. */
  readonly isAutomatic?: boolean
  /** Who did it is not told: commenting subscribes, and nobody wants to be mailed their own words. */
  readonly isForOthers?: boolean
  readonly events: readonly string[]
  /** The template of the mail, by the event. */
  template(event: string): string
}

const sending = (template: string) => () => template
const publicationTemplate = (event: string) => (event === 'documentPublicationRejected' ? 'publicationRejected' : 'publication')

const workflowEvents = [
  'workflowNewProcessStarted',
  'workflowProcessEnded',
  'workflowProcessCanceled',
  'workflowAbandoned',
  'workflowTaskCompleted',
  'workflowTaskRejected',
  'workflowTaskAssigned',
]

/** All there are, in the order in which a client that names none is subscribed to them. */
export const notificationDefinitions: readonly NotificationDefinition[] = [
  { name: 'Modification', availableIn: 'Workspace', events: ['documentModified'], template: sending('modification') },
  { name: 'Creation', availableIn: 'Workspace', events: ['documentCreated'], template: sending('creation') },
  { name: 'Workflow Change', availableIn: 'Workspace', events: workflowEvents, template: sending('workflowChange') },
  // Known to clients; the review that it told of is no more.
  { name: 'Approbation review started', availableIn: 'Workspace', events: [], template: sending('workflowChange') },
  {
    name: 'PublicationOnClient',
    availableIn: 'Section',
    events: ['documentPublicationApproved', 'documentPublished'],
    template: publicationTemplate,
  },
  { name: 'CommentAdded', isForOthers: true, events: ['commentAdded'], template: sending('commentAdded') },
  { name: 'CommentUpdated', isForOthers: true, events: ['commentUpdated'], template: sending('commentUpdated') },
  {
    name: 'Publication',
    availableIn: 'Section',
    isAutomatic: true,
    events: ['documentPublicationApproved', 'documentPublicationRejected', 'documentPublished'],
    template: publicationTemplate,
  },
  {
    name: 'Subscriptions updated',
    isAutomatic: true,
    events: ['subscriptionAssigned'],
    template: sending('subscriptionsUpdated'),
  },
  // Tasks bring templates of their own, and so send their mail themselves.
  { name: 'Task assigned', isAutomatic: true, events: [], template: sending('workflowTaskAssigned') },
  { name: 'Email document', isAutomatic: true, events: ['emailDocumentSend'], template: sending('emailDocument') },
]

export const subscribable = notificationDefinitions.filter(({ isAutomatic = false }) => !isAutomatic)

export const notifiedEvents: readonly string[] = [...new Set(notificationDefinitions.flatMap(({ events }) => events))]

/** Those that can be subscribed to where documents are of these types: the document's own and those above it. */
export function availableIn(types: readonly string[]): readonly string[] {
  return subscribable.filter(({ availableIn: type }) => type === undefined || types.includes(type)).map(({ name }) => name)
}
