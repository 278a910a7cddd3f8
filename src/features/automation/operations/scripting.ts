import { callsOut } from '../../../automation/expressions/functions.ts'
import { textOf } from '../../../automation/expressions/operand.ts'
import { runScript } from '../../../automation/expressions/run-script.ts'
import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { defaulted, required } from '../../../automation/parameter.ts'
import { madeBlob, readBlobText } from '../../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../../base/problem.ts'

const category = 'Scripting'

export const scriptLanguageUnknown = defineProblem(
  'scriptLanguageUnknown',
  'notImplemented',
  (of: { type: string }) => `Scripts in ${of.type} are not run here. Write it as expressions, and leave the type out.`,
)

export const scriptTooLong = defineProblem(
  'scriptTooLong',
  'invalid',
  (of: { max: number }) => `A script has at most ${of.max} bytes.`,
)

const runScriptOperation = defineOperation({
  id: 'RunScript',
  aliases: ['Context.RunScript'],
  category,
  description: 'Runs expressions with semicolons between them; Context["name"] = … sets a variable.',
  effect: 'writes',
  waitsFor: ({ script }) => callsOut(script ?? null),
  access: { administrators: true },
  params: { script: required('string', { widget: 'TextArea' }) },
  run: ({ on }) => [
    on('void', 'void', async (_, { params: { script }, context }) => {
      await runScript(context, script)
    }),
  ],
})

const maxBytes = 80_000

const runInputScript = defineOperation({
  id: 'RunInputScript',
  aliases: ['Context.RunInputScript'],
  category,
  description: 'Runs the expressions in a file and gives the text of the last one as a file.',
  effect: 'waits',
  access: { administrators: true },
  params: { type: defaulted('string', 'mvel', { values: ['mvel', 'groovy'] }) },
  run: ({ on }) => [
    on('blob', 'blob', async (blob, { params: { type }, session, context }) => {
      if (type !== 'mvel') throw scriptLanguageUnknown({ type })
      if (blob.blob.length > maxBytes) throw scriptTooLong({ max: maxBytes })
      const result = await runScript(context, await readBlobText(session.repository, blob))
      return madeBlob(textOf(result), { name: 'result', mimeType: 'text/plain' })
    }),
  ],
})

export const scriptingOperations: readonly Operation[] = [runScriptOperation, runInputScript]
