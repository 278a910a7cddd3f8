import { isEmpty, variablesFacetName, type WorkflowModel, type WorkflowNode } from '../../../automation/workflow.ts'
import { createDocument } from '../../../core/documents/create-document.ts'
import { store } from '../../../core/documents/read-for-update.ts'
import { removeDocument } from '../../../core/documents/remove-document.ts'
import type { Preparation } from '../../../core/initial-content.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { defaultProperties } from '../../../model/model.ts'
import { ownFacets } from '../../../model/own-facets.ts'
import { changedNames, type Properties, sameValue } from '../../../model/properties/property.ts'
import type { Services } from '../../../rest/services.ts'
import { listNodes } from '../instance/open-route.ts'
import { modelsRoot } from '../instance/route-roots.ts'

/** Every start makes the documents of models anew where they are not as they are defined (contract: workflow 1). */
export function deployModels(services: Pick<Services, 'workflows'>): Preparation {
  return {
    name: 'workflow models',
    async prepare(session) {
      const root = await modelsRoot(session)
      for (const model of services.workflows.values()) await deploy(session, root, model)
    },
  }
}

const options = { audit: false, initialState: 'validated' }

async function deploy(session: WriteSession, root: Document, model: WorkflowModel): Promise<void> {
  const route = await put(session, root, await session.tx.documents.findChild(root.id, model.name), {
    type: 'DocumentRoute',
    name: model.name,
    facets: isEmpty(model.variables) ? [] : [variablesFacetName(model.name)],
    properties: routeProperties(model),
  })
  const known = new Map((await listNodes({ reader: session.tx }, route)).map((node) => [node.name, node]))
  for (const [id, node] of Object.entries(model.nodes)) {
    await put(session, route, known.get(id), {
      type: 'RouteNode',
      name: id,
      facets: isEmpty(node.variables) ? [] : [variablesFacetName(id)],
      properties: nodeProperties(id, node),
    })
    known.delete(id)
  }
  for (const { id } of known.values()) await removeDocument(session, id)
}

interface Wanted {
  readonly type: string
  readonly name: string
  readonly facets: readonly string[]
  readonly properties: Properties
}

async function put(session: WriteSession, parent: Document, found: Document | undefined, wanted: Wanted): Promise<Document> {
  const { type, name, properties } = wanted
  if (found === undefined) return createDocument(session, { parent, type, name, facets: wanted.facets, properties, options })
  const facets = ownFacets(session.model, type, wanted.facets)
  // All of it, with what anybody has added: every instance begins with what its model has.
  const defined = { ...defaultProperties(session.model.shapeOf({ type, facets })), ...properties }
  const isSame =
    found.state === 'validated' && sameValue(found.facets, facets) && changedNames(found.properties, defined).size === 0
  if (isSame) return found
  const locked = (await session.tx.documents.findForUpdate(found.id)) ?? found
  return store(session, locked, { ...locked, facets, state: 'validated', properties: defined })
}

function routeProperties({ name, title, description, availability, variables }: WorkflowModel): Properties {
  return {
    'dc:title': title ?? name,
    'dc:description': description ?? null,
    'stepf:execution': 'graph',
    'docri:availabilityFilter': availability?.id ?? null,
    'docri:variablesFacet': isEmpty(variables) ? null : variablesFacetName(name),
  }
}

function nodeProperties(id: string, node: WorkflowNode): Properties {
  const { task, child, transitions = [], escalations = [] } = node
  return {
    'dc:title': node.title ?? id,
    'dc:description': node.description ?? null,
    'rnode:nodeId': id,
    'rnode:variablesFacet': isEmpty(node.variables) ? null : variablesFacetName(id),
    'rnode:start': node.isStart === true,
    'rnode:stop': node.isStop === true,
    'rnode:merge': node.merge ?? null,
    'rnode:executeOnlyFirstTransition': node.takesOnlyFirst === true,
    'rnode:taskX': String(node.x ?? 0),
    'rnode:taskY': String(node.y ?? 0),
    'rnode:inputChain': node.inputChain ?? null,
    'rnode:outputChain': node.outputChain ?? null,
    'rnode:transitions': transitions.map(({ name, label, description, to, when, chain, path = [] }) => ({
      name,
      label: label ?? null,
      description: description ?? null,
      targetId: to,
      condition: when ?? 'true',
      result: false,
      chain: chain ?? null,
      path: path.map(({ x, y }) => ({ x, y })),
    })),
    'rnode:subRouteModelExpr': child?.model ?? null,
    'rnode:subRouteVariables': Object.entries(child?.variables ?? {}).map(([key, value]) => ({ key, value })),
    'rnode:hasTask': task !== undefined,
    'rnode:hasMultipleTasks': task?.perAssignee === true,
    'rnode:taskDirective': task?.directive ?? null,
    'rnode:taskDescription': task?.description ?? null,
    'rnode:taskDueDateExpr': task?.due ?? null,
    'rnode:taskAssignees': task?.assignees ?? [],
    'rnode:taskAssigneesExpr': task?.assigneesExpr ?? null,
    'rnode:taskAssigneesPermission': task?.permission ?? null,
    'rnode:taskLayout': task?.layout ?? null,
    'rnode:taskDocType': task?.documentType ?? null,
    'rnode:taskNotificationTemplate': task?.mailTemplate ?? null,
    'rnode:allowTaskReassignment': task?.allowsReassignment !== false,
    'rnode:taskButtons': (task?.buttons ?? []).map(({ name, label, filter, validate = true }) => ({
      name,
      label: label ?? null,
      filter: filter ?? null,
      validate,
    })),
    'rnode:escalationRules': escalations.map(({ name, label, condition, chain, repeats = false }) => ({
      name,
      label: label ?? null,
      multipleExecution: repeats,
      condition,
      executed: false,
      chain,
      executionDate: null,
    })),
  }
}
