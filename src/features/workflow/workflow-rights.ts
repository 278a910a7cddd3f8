import { memoised } from '../../base/cache/memo.ts'
import { defineProblem } from '../../base/problem.ts'
import type { InlineListener, SecurityPolicy, Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Shape } from '../../model/shape.ts'
import { instancesPath, modelsPath, standsBelow, tasksPath } from './instance/route-roots.ts'
import { dataVisualization } from './route-model.ts'

// The engine does what stands in models, instances, nodes and tasks with all rights. So what it keeps there is its own: whatever their
// entries say, people change it by the doors of workflows alone, and make none of it elsewhere.

const facets = ['Task', 'RoutingTask', 'DocumentRoute', 'RouteStep', 'StepFolder', 'ConditionalStepFolder']
const schemas = ['task', 'route_node', 'document_route_instance', 'step_folder']

type Kind = Pick<Document, 'type' | 'facets'>
type Place = Pick<Document, 'path' | 'isProxy'>

function isOfWorkflow({ model }: Pick<Session, 'model'>, { type, facets: own }: Kind): boolean {
  return isShapeOfWorkflow(model.shapeOf({ type, facets: own }))
}

// Every check of a right asks.
const isShapeOfWorkflow = memoised(
  (shape: Shape) => facets.some((name) => shape.hasFacet(name)) || schemas.some((name) => shape.hasSchema(name)),
)

const roots: readonly string[] = [tasksPath, instancesPath, modelsPath]

function isInRoots(document: Place): boolean {
  return roots.some((root) => document.path === root || standsBelow(document, root))
}

/** Whether the document is the engine's: by what it is, or by where it stands. */
export function isKeptByEngine(session: Pick<Session, 'model'>, document: Kind & Place): boolean {
  return isInRoots(document) || isOfWorkflow(session, document)
}

export const keptByEngine = defineProblem(
  'keptByEngine',
  'forbidden',
  (_: object) =>
    'Workflows and tasks are neither made nor changed, moved or removed as documents are. Start and cancel them at /workflow, complete, reassign and delegate tasks at /task; only administrators mend their documents.',
)

/** The entries show who takes part (contract: workflow 6.1); of what they give, only reading holds for the document itself. */
export const workflowPolicy: SecurityPolicy = {
  name: 'workflow',
  // Behind that of comments: what participants say of an instance or a task is theirs.
  order: 30,
  leavesReading: true,
  decide(session, document, permission, granting) {
    if (granting.has('Read') || permission === dataVisualization.name) return undefined
    // To change something through a proxy takes the right on what it shows as well.
    return !document.isProxy && isKeptByEngine(session, document) ? 'deny' : undefined
  },
  refusal: () => keptByEngine({}),
}

const beforehand = ['aboutToCreate', 'aboutToImport', 'aboutToCopy', 'aboutToMove']

/** Neither by hand nor by a copy, a proxy or another place does a document come to be what the engine would believe. */
export const keepWorkflows: InlineListener = {
  name: 'keptWorkflows',
  when: 'inline',
  // What it is, is known beforehand; its place when it is there.
  events: [...beforehand, 'documentCreated', 'documentImported', 'documentCreatedByCopy', 'documentMoved'],
  order: -100,
  handle({ document }, session) {
    if (!session.principal.isAdministrator && isKeptByEngine(session, document)) throw keptByEngine({})
  },
}

/** A facet makes a task of any document. */
export const keepFacets: InlineListener = {
  name: 'keptFacetsOfWorkflows',
  when: 'inline',
  events: ['beforeDocumentModification', 'documentRestored'],
  order: -100,
  changes: ({ schema }) => schemas.includes(schema.name),
  heedsFacets: true,
  handle({ document }, session) {
    if (!session.principal.isAdministrator && isOfWorkflow(session, document)) throw keptByEngine({})
  },
}
