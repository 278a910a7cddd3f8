import type { Problem } from '../../base/problem.ts'
import type { CallBudget } from '../budget.ts'
import type { OperationContext } from '../context.ts'
import { nothing, type Value } from '../values/value.ts'
import { documentCall, documentItem, documentMember } from './document-members.ts'
import { expressionWrong } from './expression-wrong.ts'
import { momentOfValue } from './moment.ts'
import { boolean, findTruth, isEmpty, list, number, type Operand, plainValue, type Reply, textOf } from './operand.ts'
import { calculate, comparisons, findOrder, isEqual } from './operators.ts'
import type { BinaryOperator, Expression } from './syntax.ts'
import { callOnValue, itemOfValue, memberOfValue } from './value-members.ts'
import { costOf, ownWeight, weigh } from './weight.ts'

/** What names mean. */
export type FindBinding = (name: string) => Reply

// One expression of a chain takes a few dozen; a script that takes more is lost in what it does.
const maxSteps = 5_000

/** Walks through expressions that were read, over what they are allowed to see and nothing else. */
export class Evaluation {
  readonly #context: OperationContext
  readonly #find: FindBinding
  readonly #text: string
  #steps = 0

  constructor(context: OperationContext, find: FindBinding, text: string) {
    this.#context = context
    this.#find = find
    this.#text = text
  }

  /** @throws expressionWrong */
  async evaluate(expression: Expression): Promise<Operand> {
    this.#steps += 1
    if (this.#steps > maxSteps) throw this.wrong(expression, `it takes more than ${maxSteps} steps`)
    const yielded = this.#budget.work(1)
    if (yielded !== undefined) await yielded
    return this.#bounded(expression, await this.#evaluated(expression))
  }

  /** The same for a value that is stored: it counts as often as it is stored. @throws expressionWrong */
  async evaluateToKeep(expression: Expression): Promise<Value> {
    const operand = await this.evaluate(expression)
    try {
      const value = plainValue(operand)
      this.#budget.make(weigh(this.#budget, value))
      return value
    } catch (error) {
      throw this.#told(expression, error)
    }
  }

  get #budget(): CallBudget {
    return this.#context.budget
  }

  /** What is made is counted, and nothing is looked at that is larger than a value may be. */
  #bounded(expression: Expression, operand: Operand): Operand {
    if (operand.kind === 'host' || expression.kind === 'literal') return operand
    try {
      weigh(this.#budget, operand)
    } catch (error) {
      throw this.#told(expression, error)
    }
    if (makes(expression)) this.#budget.make(ownWeight(operand))
    return operand
  }

  async #evaluated(expression: Expression): Promise<Operand> {
    switch (expression.kind) {
      case 'literal':
        return expression.value
      case 'empty':
        return nothing
      case 'name':
        return this.#required(expression, () => this.#find(expression.name), `there is no ${expression.name}`)
      case 'member':
        return this.#member(expression, await this.evaluate(expression.of), expression.name)
      case 'item':
        return this.#item(expression, await this.evaluate(expression.of), await this.evaluate(expression.key))
      case 'call':
        return this.#call(expression)
      case 'list':
        return list((await this.#all(expression.items)).map(plainValue))
      case 'map':
        return this.#map(expression.entries)
      case 'not':
        return boolean(!this.truth(expression.operand, await this.evaluate(expression.operand)))
      case 'negative':
        return this.#calculated(expression, '-', number(0), await this.evaluate(expression.operand))
      case 'choice':
        return this.evaluate((await this.#holds(expression.condition)) ? expression.then : expression.otherwise)
      case 'binary':
        return this.#binary(expression, expression.operator)
    }
  }

  /** @throws expressionWrong for what is neither true nor false */
  truth(expression: Expression, operand: Operand): boolean {
    const isTrue = findTruth(operand)
    if (isTrue === undefined) throw this.wrong(expression, 'this is neither true nor false')
    return isTrue
  }

  wrong({ at }: { at: number }, reason: string): Problem {
    return expressionWrong({ text: this.#text, column: at + 1, reason })
  }

  async #holds(expression: Expression): Promise<boolean> {
    return this.truth(expression, await this.evaluate(expression))
  }

  async #all(expressions: readonly Expression[]): Promise<readonly Operand[]> {
    const operands: Operand[] = []
    for (const expression of expressions) operands.push(await this.evaluate(expression))
    return operands
  }

  async #map(entries: readonly (readonly [key: Expression, value: Expression])[]): Promise<Value> {
    const members: [string, Value][] = []
    for (const [key, value] of entries) {
      const name = await this.evaluate(key)
      this.#look(name)
      members.push([textOf(name), plainValue(await this.evaluate(value))])
    }
    return { kind: 'map', members: Object.fromEntries(members) }
  }

  async #binary(expression: Expression & { kind: 'binary' }, operator: BinaryOperator): Promise<Operand> {
    const { left, right } = expression
    if (operator === '&&') return boolean((await this.#holds(left)) && (await this.#holds(right)))
    if (operator === '||') return boolean((await this.#holds(left)) || (await this.#holds(right)))
    const [first, second] = [await this.evaluate(left), await this.evaluate(right)]
    if (operator === '==' || operator === '!=') return boolean(this.#isSame(expression, first, second) === (operator === '=='))
    const compare = comparisons[operator]
    if (compare === undefined) return this.#calculated(expression, operator as '+' | '-' | '*' | '/' | '%', first, second)
    this.#look(first, second)
    const order = findOrder(first, second)
    if (order === undefined) throw this.wrong(expression, `${kindOf(first)} and ${kindOf(second)} cannot be compared`)
    return boolean(compare(order))
  }

  #isSame({ left, right }: { left: Expression; right: Expression }, first: Operand, second: Operand): boolean {
    if (right.kind === 'empty') return isEmpty(first)
    this.#look(first, second)
    return left.kind === 'empty' ? isEmpty(second) : isEqual(first, second)
  }

  #look(...operands: readonly Operand[]): void {
    for (const operand of operands) this.#budget.look(costOf(this.#budget, plainValue(operand)))
  }

  #calculated(expression: Expression, operator: '+' | '-' | '*' | '/' | '%', left: Operand, right: Operand): Value {
    try {
      this.#look(left, right)
      const result = calculate(operator, left, right)
      if (result !== undefined) return result
    } catch (error) {
      throw this.#told(expression, error)
    }
    throw this.wrong(expression, `${operator} needs numbers, not ${kindOf(left)} and ${kindOf(right)}`)
  }

  async #member(expression: Expression, of: Operand, name: string): Promise<Operand> {
    return this.#required(expression, () => this.#findMember(of, name), `${kindOf(of)} has no ${name}`)
  }

  #findMember(of: Operand, name: string): Reply {
    switch (of.kind) {
      case 'host':
        return of.member(name)
      case 'document':
        return documentMember(this.#context, of.document, name)
      case 'date':
        return momentOfValue(this.#context, of).member(name)
      default:
        return memberOfValue(of, name)
    }
  }

  async #item(expression: Expression, of: Operand, key: Operand): Promise<Operand> {
    this.#look(key)
    const find = () => this.#findItem(of, plainValue(key))
    return this.#required(expression, find, `${kindOf(of)} has no such item`)
  }

  #findItem(of: Operand, key: Value): Reply {
    if (of.kind === 'host') return of.item?.(key)
    return of.kind === 'document' ? documentItem(this.#context, of.document, textOf(key)) : itemOfValue(of, key)
  }

  async #call(expression: Expression & { kind: 'call' }): Promise<Operand> {
    const { name } = expression
    const of = await this.evaluate(expression.of)
    const given = await this.#all(expression.given)
    if (of.kind !== 'host' && of.kind !== 'list') this.#look(of)
    this.#look(...given)
    const called = await this.#reply(expression, () => this.#findCall(of, name, given))
    if (called !== undefined) return called
    const member = given.length === 0 ? memberRead(name) : undefined
    const read = member === undefined ? undefined : await this.#reply(expression, () => this.#findMember(of, member))
    if (read === undefined) throw this.wrong(expression, `${kindOf(of)} cannot ${name} with ${given.length} argument(s)`)
    return read
  }

  #findCall(of: Operand, name: string, given: readonly Operand[]): Reply {
    switch (of.kind) {
      case 'host':
        return of.call?.(name, given)
      case 'document':
        return documentCall(this.#context, of.document, name, given)
      case 'date':
        return momentOfValue(this.#context, of).call?.(name, given)
      default:
        return callOnValue(this.#budget, of, name, given)
    }
  }

  async #required(expression: Expression, find: () => Reply, otherwise: string): Promise<Operand> {
    const found = await this.#reply(expression, find)
    if (found === undefined) throw this.wrong(expression, otherwise)
    return found
  }

  /** What goes wrong behind a name is told as it is; a number out of range is the expression's fault. */
  async #reply(expression: Expression, find: () => Reply): Promise<Operand | undefined> {
    try {
      return await find()
    } catch (error) {
      throw this.#told(expression, error)
    }
  }

  #told(expression: Expression, error: unknown): unknown {
    return error instanceof RangeError ? this.wrong(expression, error.message) : error
  }
}

const findingKinds: ReadonlySet<Expression['kind']> = new Set(['literal', 'name', 'member', 'item', 'choice'])

/** Whether it may have given something new, and not only found what is there. */
function makes({ kind }: Expression): boolean {
  return !findingKinds.has(kind)
}

/** `getTitle()` is `title` and `isFolder()` is `folder`, as in the language that chains were first written in. */
function memberRead(method: string): string | undefined {
  const name = /^(?:get|is)([A-Z]\w*)$/.exec(method)?.[1]
  return name && name.charAt(0).toLowerCase() + name.slice(1)
}

function kindOf(operand: Operand): string {
  return operand.kind === 'host' ? operand.name : operand.kind
}
