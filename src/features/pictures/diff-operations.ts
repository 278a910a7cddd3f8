import type { OperationContext } from '../../automation/context.ts'
import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import type { SentProperties } from '../../automation/values/words.ts'
import { defineProblem } from '../../base/problem.ts'
import { converted, fileAt, fileIn } from '../conversion/index.ts'

const commandLines = ['diff-pictures-default', 'diff-pictures-default-with-params']
const knownParameters = ['fuzz', 'highlightColor', 'lowlightColor']

export const wrongDiffParameter = defineProblem(
  'wrongDiffParameter',
  'invalid',
  (of: { parameter: string; known: readonly string[]; value: string }) =>
    `${of.parameter} must be one of ${of.known.join(', ')}, not ${of.value.slice(0, 100)}.`,
)

const shared = {
  commandLine: defaulted('string', 'diff-pictures-default', {
    values: commandLines,
    description: 'How they are compared; there is one way, whichever of its names is given',
  }),
  parameters: optional('properties', {
    description: 'fuzz: how different is still the same, 5%; highlightColor and lowlightColor: of what differs, and of the rest',
  }),
  targetFileName: optional('string', {
    description: 'The name of the result; that of the first picture with a suffix when absent',
  }),
  targetFileNameSuffix: optional('string', { description: 'Comes behind the name of the first picture: -diff' }),
}

interface DiffWish {
  readonly commandLine: string
  readonly parameters: SentProperties | undefined
  readonly targetFileName: string | undefined
  readonly targetFileNameSuffix: string | undefined
}

/** A picture that shows where two differ. @throws wrongDiffParameter and what converting throws */
async function difference(
  context: OperationContext,
  left: FlowingBlob,
  right: FlowingBlob,
  wish: DiffWish,
): Promise<FlowingBlob> {
  const { commandLine, targetFileName } = wish
  if (!commandLines.includes(commandLine))
    throw wrongDiffParameter({ parameter: 'commandLine', known: commandLines, value: commandLine })
  const format = targetFileName ? { format: targetFileName } : {}
  const parameters = { ...toldParameters(wish.parameters ?? {}), ...format }
  const { blob, ...made } = await converted(context, left, { converter: 'diffPictures' }, { parameters, attached: [right] })
  const name = targetFileName || suffixed(blob.name ?? 'picture', wish.targetFileNameSuffix || '-diff')
  // Who may not download one of the two may not download what shows it.
  const source = made.source ?? right.source
  return { blob: { ...blob, name }, ...(source !== undefined && { source }) }
}

function toldParameters(sent: SentProperties): { readonly [name: string]: string } {
  const unknown = Object.keys(sent).find((name) => !knownParameters.includes(name))
  if (unknown !== undefined)
    throw wrongDiffParameter({ parameter: 'Each of the parameters', known: knownParameters, value: unknown })
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value ?? '')]))
}

/** `bay.png` becomes `bay-diff.png`. */
function suffixed(name: string, suffix: string): string {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? name + suffix : name.slice(0, dot) + suffix + name.slice(dot)
}

const diffWithBlobs = defineOperation({
  id: 'Pictures.DiffWithBlobs',
  category: 'Conversion',
  description: 'Compares the picture with another: gives it, pale, with what differs in a colour.',
  effect: 'waits',
  params: {
    blob2VarName: required('string', { description: 'The variable of the context that has the other picture' }),
    ...shared,
  },
  run: ({ each }) => [
    each('blob', 'blob', async (file, { context, params }) =>
      difference(context, file, await fileIn(context, params.blob2VarName), params),
    ),
  ],
})

const diffWithDocs = defineOperation({
  id: 'Pictures.DiffWithDocs',
  category: 'Conversion',
  description: 'Compares the pictures of two documents: gives the first, pale, with what differs in a colour.',
  effect: 'waits',
  params: {
    leftDoc: required('document', { description: 'The document with the first picture' }),
    rightDoc: required('document', { description: 'The document with the other one' }),
    xpath: optional('string', { description: 'The place of the picture in both; their main file when absent' }),
    ...shared,
  },
  run: ({ on }) => [
    on('void', 'blob', async (_, { context, params: { leftDoc, rightDoc, xpath, ...wish } }) =>
      difference(context, await fileAt(context, leftDoc, xpath), await fileAt(context, rightDoc, xpath), wish),
    ),
  ],
})

export const diffOperations = [diffWithBlobs, diffWithDocs]
