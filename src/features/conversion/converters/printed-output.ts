import type { ConverterWork } from '../../../core/conversion/converter.ts'
import type { ProgramName } from '../../../core/conversion/programs.ts'
import { cleanPage } from '../reading/html-page.ts'

/** What a program prints of the file: the option `program` names it. */
const printedOutput: ConverterWork = async ({ run, source, options, target }) => {
  const { stdout } = await run(options['program'] as ProgramName, [source.path])
  if (target === 'text/html') return [await cleanPage(source.name, stdout.toString())]
  return [{ bytes: stdout, mimeType: target, encoding: 'UTF-8' }]
}

export default printedOutput
