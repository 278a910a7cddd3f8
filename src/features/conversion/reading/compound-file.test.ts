import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { corpus } from '../../../../test/support/conversion/corpus.ts'
import { circularLetter, damagedFiles } from '../../../../test/support/conversion/hostile-files.ts'
import { ConversionRefusal } from '../../../core/conversion/converter.ts'
import { requireSoundCompoundFile } from './compound-file.ts'

describe('a compound file is looked through before a reader follows what it says', () => {
  test('one that a program wrote is sound', () => {
    const letter = corpus.find(({ name }) => name === 'letter.msg')
    assert.ok(letter)
    requireSoundCompoundFile(Buffer.from(letter.bytes()))
  })

  test('one whose directory follows upon itself is refused', () => {
    assert.throws(() => requireSoundCompoundFile(circularLetter()), ConversionRefusal)
  })

  test('one whose entries are their own children is refused', () => {
    const bytes = circularLetter()
    const [directory, table] = [bytes.readUInt32LE(48), bytes.readUInt32LE(76)]
    bytes.writeUInt32LE(0xff_ff_ff_fe, (table + 1) * 512 + directory * 4)
    bytes.writeUInt32LE(0, (directory + 1) * 512 + 76)
    assert.throws(() => requireSoundCompoundFile(bytes), ConversionRefusal)
  })

  test('a damaged one is sound or refused, and never an accident', () => {
    const letters = damagedFiles(11).filter(({ name }) => name === 'letter.msg')
    for (const { what, bytes } of letters.take(200)) {
      try {
        requireSoundCompoundFile(Buffer.from(bytes()))
      } catch (error) {
        assert.ok(error instanceof ConversionRefusal, `${what}: ${error}`)
      }
    }
  })
})
