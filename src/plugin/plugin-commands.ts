import type { Commands } from '../command/command.ts'
import type { Plugin } from './define-plugin.ts'
import { pluginMistake } from './plugin-mistake.ts'

/** The commands of the program with those that plugins add. @throws pluginMistake when a name is taken. */
export function withCommandsOf(plugins: readonly Pick<Plugin, 'name' | 'commands'>[], own: Commands): Commands {
  const all: { [name: string]: Commands[string] } = { ...own }
  for (const { name: plugin, commands = {} } of plugins) {
    for (const [name, load] of Object.entries(commands)) {
      if (Object.hasOwn(all, name)) throw pluginMistake({ plugin, reason: `there is a command ${name} already` })
      all[name] = load
    }
  }
  return all
}

/** What is wrong with what a plugin gives as its commands, as a reason that follows its name. */
export function findCommandsMistake(commands: unknown): string | undefined {
  if (typeof commands !== 'object' || commands === null || Array.isArray(commands))
    return 'commands must be an object of names and functions that give a command'
  for (const [name, load] of Object.entries(commands)) {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) return `command ${name} must have a name in small letters, such as count-invoices`
    if (typeof load !== 'function') return `command ${name} must be a function that gives what defineCommand made`
  }
  return undefined
}
