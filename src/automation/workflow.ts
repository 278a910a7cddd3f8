import type { Facet } from '../model/document-type.ts'
import { defineFacet } from '../model/document-type.ts'
import type { FieldDeclaration } from '../model/field.ts'
import { type DocumentSchema, defineSchema } from '../model/schema.ts'

type Variables<Name extends string = string> = { readonly [Variable in Name]: FieldDeclaration }

/** The way from one node to another. */
export interface WorkflowTransition<NodeId extends string = string> {
  /** Of the transitions of one node no two have the same. */
  readonly name: string
  readonly to: NodeId
  /** An expression that is true or false; absent, it is always taken. Several that are true are taken together: a fork. */
  readonly when?: string
  readonly label?: string
  readonly description?: string
  /** Run when it is taken. */
  readonly chain?: string
  /** Points of the line in pictures of the workflow. */
  readonly path?: readonly { readonly x: number; readonly y: number }[]
}

/** A way to complete a task. Its name is `NodeVariables["button"]` from then on. */
export interface WorkflowButton {
  readonly name: string
  readonly label?: string
  /** An expression; the button is offered to those for whom it is true. */
  readonly filter?: string
  /** Whether forms check what was filled in; true unless told. */
  readonly validate?: boolean
}

/** What people are asked to do at a node. */
export interface WorkflowTask {
  readonly directive?: string
  readonly description?: string
  /** Users and groups, `alice`, `user:alice` or `group:sales`. */
  readonly assignees?: readonly string[]
  /** An expression that gives one more of them, or a list. They come first. */
  readonly assigneesExpr?: string
  /** A task for each of them, instead of one that the first to complete it completes for all. */
  readonly perAssignee?: boolean
  /** What assignees may do with the documents while the task is open; nothing more than they may anyway when absent. */
  readonly permission?: string
  /** An expression that gives a date; the moment at which the task is made when absent. */
  readonly due?: string
  readonly buttons: readonly WorkflowButton[]
  /** Whether the task may be given to others; true unless told. */
  readonly allowsReassignment?: boolean
  /** The mail that assignees get; none when absent. */
  readonly mailTemplate?: string
  readonly layout?: string
  /** The type of the task's document, an extension of RoutingTask. */
  readonly documentType?: string
}

/** What happens to a node that waits for long. */
export interface WorkflowEscalation {
  readonly name: string
  readonly label?: string
  /** An expression, looked at every few minutes while the node waits. */
  readonly condition: string
  readonly chain: string
  /** Runs each time that the condition is found true, instead of once. */
  readonly repeats?: boolean
}

/** Another workflow that is begun at a node, which waits for its end. */
export interface WorkflowChild {
  /** The name of its model, or `expr:` and an expression that gives it. */
  readonly model: string
  /** Texts, or `expr:` and an expression. */
  readonly variables?: { readonly [name: string]: string }
}

/** A place in a workflow: the start, the end, a task, another workflow, or just a decision. */
export interface WorkflowNode<VariableName extends string = string, NodeId extends string = string> {
  readonly title?: string
  readonly description?: string
  readonly isStart?: true
  readonly isStop?: true
  /** Waits for one, or for all, of the transitions that lead here. When it goes on, what is still open behind it is cancelled. */
  readonly merge?: 'one' | 'all'
  /** Takes only the first transition that is true. */
  readonly takesOnlyFirst?: boolean
  /** Where it stands in pictures. */
  readonly x?: number
  readonly y?: number
  /** Variables of its own. */
  readonly variables?: Variables
  /** Variables of the workflow that whoever completes its task reads and sets. */
  readonly exposes?: readonly VariableName[]
  /** Run when a document of it comes here, and when it goes on. */
  readonly inputChain?: string
  readonly outputChain?: string
  readonly task?: WorkflowTask
  readonly child?: WorkflowChild
  readonly escalations?: readonly WorkflowEscalation[]
  readonly transitions?: readonly WorkflowTransition<NodeId>[]
}

/** On which documents a workflow is offered, and to whom. */
export interface WorkflowAvailability {
  readonly id: string
  /** An expression over `Document` and `CurrentUser`. */
  readonly condition: string
}

/** The way that documents take from person to person: what plugins contribute as `workflows`. */
export interface WorkflowModel<VariableName extends string = string, NodeId extends string = string> {
  /** Letters, digits, `_` and `-`. */
  readonly name: string
  /** A text, or the key of one in `labels`. */
  readonly title?: string
  readonly description?: string
  readonly availability?: WorkflowAvailability
  readonly variables?: Variables<VariableName>
  /** Those of the variables that pages show as HTML: they are stored without what a browser would run. */
  readonly html?: readonly NoInfer<VariableName>[]
  /** By their ids, in the order in which pictures list them. */
  readonly nodes: { readonly [Id in NodeId]: WorkflowNode<NoInfer<VariableName>, NoInfer<NodeId>> }
  /**
   * By their names, of which a deployment has each once: properties of tasks, and from which property of the first document each is
   * copied by `Task.ApplyDocumentMapping`.
   */
  readonly taskMappings?: { readonly [name: string]: { readonly [ofTask: string]: string } }
  /** What keys of titles and labels mean, by language. */
  readonly labels?: { readonly [language: string]: { readonly [key: string]: string } }
}

/**
 * Declares a workflow. Targets of transitions and exposed variables are checked by the compiler; expressions and chains at start.
 * @example
 * export const approval = defineWorkflow({
 *   name: 'Approval',
 *   variables: { approver: string() },
 *   nodes: {
 *     begin: { isStart: true, transitions: [{ name: 'ask', to: 'decide' }] },
 *     decide: {
 *       exposes: ['approver'],
 *       task: { assigneesExpr: 'WorkflowVariables["approver"]', due: 'CurrentDate.days(3)', buttons: [{ name: 'approve' }] },
 *       transitions: [{ name: 'done', to: 'end' }],
 *     },
 *     end: { isStop: true },
 *   },
 * })
 */
export function defineWorkflow<const VariableName extends string = never, const NodeId extends string = string>(
  model: WorkflowModel<VariableName, NodeId>,
): WorkflowModel {
  return model
}

/** The schema that holds the variables of a workflow or of a node; its fields are named as they are. */
export function variablesSchemaName(owner: string): string {
  return `var_${owner}`
}

/** The schema whose fields name the variables of the workflow that a node exposes. */
export function exposedSchemaName(nodeId: string): string {
  return `var_global_${nodeId}`
}

/** The facet by which a document of a workflow or node has the variables. */
export function variablesFacetName(owner: string): string {
  return `facet-${variablesSchemaName(owner)}`
}

/** What the variables of a workflow and its nodes are in the model of documents. */
export function schemasOfWorkflow({ name, variables = {}, html = [], nodes }: WorkflowModel): {
  readonly schemas: readonly DocumentSchema[]
  readonly facets: readonly Facet[]
} {
  // What is no workflow at all is told by the check that follows.
  const owned = Object.entries(nodes ?? {}).flatMap(([id, node]): [schema: string, fields: Variables][] => [
    ...(isEmpty(node.variables) ? [] : ([[variablesSchemaName(id), node.variables ?? {}]] as [string, Variables][])),
    ...exposedFields(id, node, variables),
  ])
  const shown = { fields: variables, html: html.map((field) => ({ field })) }
  const all = [
    ...(isEmpty(variables) ? [] : [defineSchema(variablesSchemaName(name), shown)]),
    ...owned.map(([schema, fields]) => defineSchema(schema, { fields })),
  ]
  return { schemas: all, facets: all.map((schema) => defineFacet(`facet-${schema.name}`, [schema.name])) }
}

function exposedFields(id: string, { exposes = [] }: WorkflowNode, variables: Variables): [string, Variables][] {
  const fields = exposes.flatMap((variable) => {
    const field = variables[variable]
    return field === undefined ? [] : [[variable, field] as const]
  })
  return fields.length === 0 ? [] : [[exposedSchemaName(id), Object.fromEntries(fields)]]
}

export function isEmpty(variables: Variables | undefined): boolean {
  return variables === undefined || Object.keys(variables).length === 0
}
