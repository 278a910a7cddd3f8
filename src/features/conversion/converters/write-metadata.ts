import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { findJson, isJsonObject, type Json } from '../../../base/json.ts'
import { Problem } from '../../../base/problem.ts'
import { ConversionRefusal, type ConverterWork } from '../../../core/conversion/converter.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { requireFewTags, type WrittenMetadata, writtenValues } from '../metadata/metadata-values.ts'
import { parseTagName } from '../metadata/tag-name.ts'

/** A copy of the file with other metadata, told by the parameter `metadata`: JSON of lists of texts by tag. */
const writeMetadata: ConverterWork = async (job) => {
  const { source, folder, parameters } = job
  const metadata = parseMetadata(parameters['metadata'])
  const path = join(folder, `written${extname(source.path)}`)
  const args = ['-m', ...Object.entries(metadata).flatMap(([tag, texts]) => argumentsFor(tag, texts)), '-o', path, source.path]
  // 1: nothing was written; then it says why.
  const { stderr } = await job.run('exiftool', args, { accepts: [1] })
  const [complaint] = stderr.split('\n').filter((line) => line.trim() !== '' && !/\[minor\]/i.test(line))
  // It may have written some tags and left others out.
  if (complaint !== undefined || !existsSync(path))
    throw new ConversionRefusal(
      `exiftool: ${(complaint ?? 'Nothing was written.').replaceAll(source.path, 'the file').slice(0, 200)}`,
    )
  return [{ path, mimeType: source.mimeType, ...(source.name !== null && { name: source.name }) }]
}

export default writeMetadata

/** Whoever calls the converter by its name may have written anything. @throws ConversionRefusal */
function parseMetadata(text = ''): WrittenMetadata {
  const sent: Json | undefined = findJson(text)
  if (!isJsonObject(sent)) throw new ConversionRefusal('The parameter metadata must be a JSON object with texts by tag.')
  try {
    const told = Object.entries(sent).map(([tag, value]) => [tag, writtenValues(tag, value as PropertyValue)] as const)
    for (const [tag] of told) parseTagName(tag)
    return requireFewTags(Object.fromEntries(told))
  } catch (error) {
    if (error instanceof Problem) throw new ConversionRefusal(error.message, { cause: error })
    throw error
  }
}

/**
 * The name is never at the beginning of an argument, where exiftool would take some for options, and `All:` has it refuse whatever is not
 * inside of the file.
 */
function argumentsFor(name: string, texts: readonly string[]): readonly string[] {
  const { group = 'All', tag } = parseTagName(name)
  const isWide = texts.some((text) => /[^\x20-\x7e\s]/.test(text))
  const assigned = (texts.length === 0 ? [''] : texts).map((text) => `-${group}:${tag}=${text}`)
  // The press writes in Latin letters unless the file says otherwise.
  return isWide && /^(?:iptc|all)$/i.test(group) ? ['-IPTC:CodedCharacterSet=UTF8', ...assigned] : assigned
}
