import { allOf, documentsWhere, notFolder, notTrashed } from '../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { byTitle } from '../../core/search/query/sort.ts'
import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { alike, boolean, complex, date, double, list, long, string } from '../../model/field.ts'
import type { Lifecycle } from '../../model/lifecycle.ts'
import type { Permission, VisiblePermission } from '../../model/rights/permission.ts'
import { defineSchema } from '../../model/schema.ts'
import { keysAndValues } from './task-model.ts'

const documentRouteInstance = defineSchema('document_route_instance', {
  prefix: 'docri',
  fields: {
    initiator: string(),
    participatingDocuments: list(string(), { indexed: true, hasWords: false }),
    ...alike(string({ hasWords: false }), 'variablesFacet', 'availabilityFilter', 'modelId'),
    ...alike(string({ hasWords: false }), 'parentRouteInstanceId', 'parentRouteNodeId'),
  },
})

const documentRouteModel = defineSchema('document_route_model', { prefix: 'docrm', fields: {} })

const stepFolder = defineSchema('step_folder', {
  prefix: 'stepf',
  fields: { execution: string({ default: 'serial' }) },
})

const conditionalStepFolder = defineSchema('conditional_step_folder', {
  prefix: 'condstepf',
  fields: { posOfChildStepToRunNext: string() },
})

const transition = complex({
  ...alike(string(), 'name', 'label', 'description', 'targetId', 'condition'),
  result: boolean(),
  chain: string(),
  path: list(complex({ x: double(), y: double() })),
})

const escalationRule = complex({
  ...alike(string(), 'name', 'label'),
  multipleExecution: boolean({ default: false }),
  condition: string(),
  executed: boolean({ default: false }),
  chain: string(),
  executionDate: date(),
})

const routeNode = defineSchema('route_node', {
  prefix: 'rnode',
  fields: {
    ...alike(string(), 'nodeId', 'variablesFacet', 'inputChain', 'outputChain', 'merge', 'subRouteModelExpr'),
    ...alike(string(), 'taskDirective', 'taskDescription', 'taskDueDateExpr', 'taskAssigneesExpr', 'taskAssigneesPermission'),
    ...alike(string(), 'taskLayout', 'taskDocType', 'taskNotificationTemplate', 'lastActor', 'subRouteInstanceId'),
    ...alike(string(), 'button', 'taskX', 'taskY'),
    ...alike(boolean(), 'start', 'stop', 'executeOnlyFirstTransition', 'hasTask', 'hasMultipleTasks'),
    allowTaskReassignment: boolean({ default: true }),
    ...alike(long(), 'count', 'canceled'),
    ...alike(date(), 'taskDueDate', 'startDate', 'endDate'),
    taskAssignees: list(string()),
    transitions: list(transition),
    taskButtons: list(complex({ ...alike(string(), 'name', 'label', 'filter'), validate: boolean({ default: true }) })),
    subRouteVariables: keysAndValues,
    escalationRules: list(escalationRule),
    tasksInfo: list(
      complex({ ...alike(string(), 'actor', 'comment', 'status', 'taskDocId'), ended: boolean({ default: false }) }),
    ),
  },
})

export const routeSchemas = [documentRouteInstance, documentRouteModel, stepFolder, conditionalStepFolder, routeNode]

export const routeFacets = [
  defineFacet('DocumentRoute', [], { isReserved: true }),
  ...['Routable', 'RouteStep', 'StepFolder'].map((name) => defineFacet(name)),
  defineFacet('ConditionalStepFolder', ['conditional_step_folder']),
]

/** A route moves its steps itself, one after another. */
const routeTransitions = ['toValidated', 'toReady', 'toRunning', 'toDone', 'toCanceled', 'backToReady']

export const routeTypes = [
  defineDocumentType('DocumentRouteInstancesRoot', {
    extends: 'Folder',
    facets: ['HiddenInNavigation', 'SystemDocument', 'HiddenInCreation'],
    subtypes: ['Folder', 'HiddenFolder'],
  }),
  defineDocumentType('DocumentRouteModelsRoot', {
    extends: 'Folder',
    facets: ['HiddenInNavigation', 'SystemDocument', 'HiddenInCreation'],
    subtypes: ['Folder'],
  }),
  defineDocumentType('StepFolder', {
    extends: 'OrderedFolder',
    schemas: ['step_folder'],
    facets: ['HiddenInNavigation', 'StepFolder', 'SystemDocument'],
    lifecycle: 'documentRouteElement',
    ownTransitions: routeTransitions,
  }),
  defineDocumentType('DocumentRoute', {
    extends: 'StepFolder',
    schemas: ['document_route_instance', 'document_route_model'],
    facets: ['ForceAudit', 'DocumentRoute', 'SystemDocument'],
    subtypes: ['StepFolder', 'DocumentRouteStep', 'ConditionalStepFolder'],
    lifecycle: 'documentRouteElement',
    ownTransitions: routeTransitions,
  }),
  defineDocumentType('DocumentRouteStep', {
    extends: 'Document',
    schemas: ['dublincore', 'info_comments'],
    facets: ['RouteStep', 'Commentable', 'CommentsInfoHolder', 'SystemDocument'],
    lifecycle: 'documentRouteElement',
  }),
  defineDocumentType('ConditionalStepFolder', {
    extends: 'StepFolder',
    schemas: ['conditional_step_folder'],
    facets: ['ConditionalStepFolder'],
    lifecycle: 'documentRouteElement',
    ownTransitions: routeTransitions,
  }),
  defineDocumentType('RouteNode', {
    extends: 'Document',
    schemas: ['dublincore', 'route_node'],
    facets: ['HiddenInNavigation', 'SystemDocument', 'NotFulltextIndexable'],
    lifecycle: 'documentRouteElement',
  }),
]

export const routesOfDomains = { type: 'Domain', subtypes: ['DocumentRouteInstancesRoot'] }

export const documentRouteElement: Lifecycle = {
  name: 'documentRouteElement',
  initial: 'draft',
  states: {
    draft: ['toValidated'],
    validated: ['toReady', 'toDraft'],
    ready: ['toRunning', 'toWaiting', 'toSuspended', 'toCanceled', 'toDraft'],
    running: ['toDone', 'backToReady', 'toCanceled', 'toDraft'],
    done: ['backToReady', 'toCanceled', 'toDraft'],
    waiting: ['toReady', 'toSuspended', 'toCanceled', 'toDraft'],
    suspended: ['toReady', 'toWaiting', 'toCanceled', 'toDraft'],
    canceled: ['backToReady', 'toDraft'],
  },
  transitions: {
    toDraft: 'draft',
    toValidated: 'validated',
    toReady: 'ready',
    toRunning: 'running',
    toDone: 'done',
    toWaiting: 'waiting',
    toSuspended: 'suspended',
    toCanceled: 'canceled',
    backToReady: 'ready',
  },
}

export const dataVisualization: Permission = { name: 'DataVisualization', includes: ['Read'] }
export const offeredOnRoutes: VisiblePermission = { name: dataVisualization.name, order: 20, types: ['DocumentRoute'] }

function routes(name: string, ...conditions: readonly string[]): PageProvider {
  return { name, pattern: `SELECT * FROM DocumentRoute WHERE ${allOf(...conditions)}`, sort: byTitle, pageSize: 20 }
}

const validated = "ecm:currentLifeCycleState = 'validated'"

export const routeProviders: readonly PageProvider[] = [
  routes('DOC_ROUTING_SEARCH_ALL_ROUTE_MODELS', validated, notTrashed),
  routes('DOC_ROUTING_SEARCH_ROUTE_MODELS_WITH_TITLE', validated, notTrashed, 'dc:title LIKE ?'),
  routes('DOC_ROUTING_SEARCH_ALL_ROUTE_INSTANCES', "ecm:currentLifeCycleState = 'running'", notTrashed, 'dc:title LIKE ?'),
  routes(
    'SEARCH_ROUTE_BY_ATTACHED_DOC',
    "ecm:currentLifeCycleState IN ('running', 'ready')",
    notTrashed,
    'docri:participatingDocuments/* IN (?)',
  ),
  {
    name: 'CURRENT_DOC_ROUTING_SEARCH_ATTACHED_DOC',
    pattern: documentsWhere(notFolder, notTrashed, 'dc:title ILIKE ?'),
    sort: byTitle,
    pageSize: 20,
  },
]
