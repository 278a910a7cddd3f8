import type { WorkflowModel, WorkflowNode } from '../../automation/workflow.ts'

/** A workflow as a flowchart in Mermaid, which many pages and editors draw. Texts are those of the language, as far as there are any. */
export function mermaidOf({ nodes, labels = {} }: WorkflowModel, language = 'en'): string {
  const translate = (key: string) => labels[language]?.[key] ?? labels['en']?.[key] ?? key
  const entries = Object.entries(nodes)
  const numbers = new Map(entries.map(([id], index) => [id, `n${index}`]))
  const drawn = entries.map(([id, node]) => `  ${numbers.get(id)}${shapeOf(node, quoted(translate(node.title ?? id)))}`)
  const lines = entries.flatMap(([id, { transitions = [] }]) =>
    transitions.map(({ to, label, name, when }) => {
      const text = label === undefined ? (when === undefined ? '' : name) : translate(label)
      return `  ${numbers.get(id)} -->${text === '' ? '' : `|${quoted(text)}|`} ${numbers.get(to)}`
    }),
  )
  return ['flowchart TD', ...drawn, ...lines, ''].join('\n')
}

/** Ends are round, tasks square, other workflows have double sides, and what merges or decides is a rhomb. */
function shapeOf({ isStart, isStop, task, child, merge }: WorkflowNode, text: string): string {
  if (isStart || isStop) return `([${text}])`
  if (child !== undefined) return `[[${text}]]`
  if (task !== undefined) return task.perAssignee ? `[/${text}/]` : `[${text}]`
  return merge === undefined ? `{${text}}` : `{{${text}}}`
}

/** Quotes would end the text, and `<` begin a tag. */
function quoted(text: string): string {
  return `"${text.replaceAll('#', '#35;').replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('\n', ' ')}"`
}
