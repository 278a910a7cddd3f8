import { readFile } from 'node:fs/promises'
import type { ConverterWork } from '../../../src/core/conversion/converter.ts'

/** What a printer would make of a file, as far as tests look at it. */
const printText: ConverterWork = async ({ source }) => [{ bytes: Buffer.from(`%PDF-1.4 ${await readFile(source.path, 'utf8')}`) }]

export default printText
