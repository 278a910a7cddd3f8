import { ConversionRefusal } from '../../../core/conversion/converter.ts'

/** What a reader gives; where it fails the file is at fault, and not the server. @throws ConversionRefusal */
export async function readingFile<Result>(read: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof ConversionRefusal) throw cause
    throw new ConversionRefusal('It is damaged, or not what its type says.', { cause })
  }
}
