/**
 * Identical subscriptions of many clients: each event is executed and serialized once, and the same text goes to
 * all of them.
 */
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLError,
  getOperationAST,
  Kind,
  visit,
} from 'graphql'
import type { WebSocket } from 'ws'
import type { Callers, Context } from '../kit/access/context.ts'
import { type Broadcast, SharedStream } from '../kit/streams/broadcast.ts'

/** Maps the items of a stream, which ends as soon as its reader leaves. */
const mapStream = <T, R>(
  stream: AsyncIterable<T>,
  map: (item: T) => Promise<R>,
): AsyncIterableIterator<R> => {
  const source = stream[Symbol.asyncIterator]()
  const end = async () => {
    await source.return?.()
    return { done: true, value: undefined } as const
  }
  return {
    next: async () => {
      const { done, value } = await source.next()
      return done ? { done, value: undefined } : { done: false, value: await map(value) }
    },
    return: end,
    throw: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** A reader with more unsent bytes is skipped. Later it gets a snapshot, or all missed items if `isWhole`. */
const maxUnsentBytes = 256 * 1024
const caughtUpBytes = 16 * 1024
const lookAgainMs = 50
const readAgainMs = 500
/** A reader that accepts nothing for this long counts as gone. */
const stuckMs = 60_000

/** One subscription of one connection. */
class Member {
  readonly #socket: WebSocket
  readonly #head: string
  /** Number of the last sent item; null before the first. */
  at: number | null
  /** Whether the next item is sent as it arrives. */
  live = false
  left = false
  end: () => void

  constructor(socket: WebSocket, id: string, at: number | null, end: () => void) {
    this.#socket = socket
    this.#head = `{"id":${JSON.stringify(id)},"type":"next","payload":`
    this.at = at
    this.end = end
  }

  get isSlow() {
    return this.#socket.bufferedAmount > maxUnsentBytes
  }

  send(text: string) {
    this.#socket.send(`${this.#head}${text}}`)
  }

  /** Waits until few bytes are unsent. Terminates a connection that stays stuck. */
  async drained() {
    const deadline = Date.now() + stuckMs
    while (!this.left && this.#socket.bufferedAmount > caughtUpBytes) {
      if (Date.now() > deadline) this.#socket.terminate()
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
    }
  }
}

/** The readers of one broadcast with the same query. */
class Group<T extends object> {
  readonly #broadcast: Broadcast<T>
  readonly #render: (value: T) => Promise<string>
  readonly #texts = new WeakMap<T, Promise<string>>()
  readonly #members = new Set<Member>()
  readonly #onEmpty: () => void
  readonly #stop: () => void
  #at: number
  #sending = false

  constructor(broadcast: Broadcast<T>, render: (value: T) => Promise<string>, onEmpty: () => void) {
    this.#broadcast = broadcast
    this.#render = render
    this.#onEmpty = onEmpty
    this.#at = broadcast.position
    this.#stop = broadcast.on(() => void this.#sendNotifications())
  }

  #textOf(value: T): Promise<string> {
    let text = this.#texts.get(value)
    if (!text) {
      text = this.#render(value)
      this.#texts.set(value, text)
    }
    return text
  }

  async #sendNotifications() {
    if (this.#sending) return
    this.#sending = true
    try {
      while (this.#members.size > 0 && this.#at < this.#broadcast.position) {
        for (const { position, value } of await this.#broadcast.read(this.#at)) {
          const text = await this.#textOf(value)
          this.#at = position
          for (const member of this.#members) {
            if (!member.live || (member.at !== null && member.at >= position)) continue
            if (member.isSlow) {
              member.live = false
              void this.#catchUp(member, true)
            } else {
              member.at = position
              member.send(text)
            }
          }
        }
      }
      if (this.#broadcast.ended)
        for (const member of this.#members) if (member.live) this.leave(member)
    } catch {
      // Retries a failed read.
      setTimeout(() => void this.#sendNotifications(), readAgainMs)
    } finally {
      this.#sending = false
    }
  }

  /** Sends missed items, or a snapshot to a new or late reader, until it is up to date. */
  async #catchUp(member: Member, fellBehind = false) {
    try {
      if (fellBehind) {
        await member.drained()
        if (!this.#broadcast.isWhole) member.at = null
      }
      while (!member.left && (member.at === null || member.at < this.#broadcast.position))
        for (const { position, value } of await this.#broadcast.read(member.at)) {
          const text = await this.#textOf(value)
          if (member.left) return
          if (member.isSlow) await member.drained()
          member.send(text)
          member.at = position
        }
      if (member.left) return
      if (this.#broadcast.ended) this.leave(member)
      else member.live = true
    } catch {
      this.leave(member)
    }
  }

  join(member: Member) {
    // Without readers, `#at` was not updated.
    if (this.#members.size === 0) this.#at = this.#broadcast.position
    this.#members.add(member)
    void this.#catchUp(member)
  }

  leave(member: Member) {
    if (member.left) return
    member.left = true
    this.#members.delete(member)
    member.end()
    if (this.#members.size > 0) return
    this.#stop()
    this.#onEmpty()
  }
}

const sharedField = ({ schema, document, operationName }: ExecutionArgs): FieldNode | null => {
  const selections = getOperationAST(document, operationName)?.selectionSet.selections ?? []
  const [field] = selections
  if (selections.length !== 1 || field?.kind !== Kind.FIELD) return null
  const { extensions } = schema.getSubscriptionType()?.getFields()[field.name.value] ?? {}
  // The field declares that its broadcasts are the same for everybody.
  return (extensions as { shared?: boolean } | undefined)?.shared ? field : null
}

const freeVariables = new WeakMap<DocumentNode, string[]>()

/** Variables that affect the content of an event: all but those in the arguments of the field itself. */
const freeVariablesOf = (document: DocumentNode, field: FieldNode): string[] => {
  let names = freeVariables.get(document)
  if (!names) {
    const found = new Set<string>()
    visit(document, {
      VariableDefinition: () => false,
      Argument: (_, __, ___, ____, ancestors) => (ancestors.at(-1) === field ? false : undefined),
      Variable: ({ name }) => void found.add(name.value),
    })
    names = [...found].sort()
    freeVariables.set(document, names)
  }
  return names
}

type Options = {
  contextOf(caller: { callers: Callers; ip: string; requestId: string }): Context
  /** To be called when the context is no longer used. */
  forget(context: Context): void
  /** Charges an operation once more; resolves when it is paid. */
  pay(args: ExecutionArgs): Promise<void>
  mask(errors: readonly unknown[]): readonly GraphQLError[]
}

type Results = AsyncIterableIterator<ExecutionResult> | ExecutionResult

/** The recipient of a subscription. */
export type Recipient = { socket: WebSocket; id: string }

/** Callers with the same text see the same. */
const viewOf = (callers: Callers | undefined): unknown =>
  callers &&
  Object.values(callers).map((caller) =>
    caller instanceof Error ? null : { ...caller, rights: [...caller.rights].sort() },
  )

/** Names the query, the variables and the view of a subscription: what its text follows from, beside the item. */
const createViews = () => {
  const documents = new WeakMap<DocumentNode, number>()
  let documentCount = 0
  return (
    { document, operationName, variableValues }: ExecutionArgs,
    field: FieldNode,
    callers: Callers | undefined,
  ): string => {
    let number = documents.get(document)
    if (number === undefined) {
      number = documentCount++
      documents.set(document, number)
    }
    const variables = freeVariablesOf(document, field).map((name) => variableValues?.[name] ?? null)
    return JSON.stringify([number, operationName ?? null, variables, viewOf(callers)])
  }
}

type Render = (value: object) => Promise<ExecutionResult>

/** Executes each item once for each view. What everybody sees is paid by its first reader, the rest by each rendering. */
const createRendering = ({ contextOf, forget, pay, mask }: Options) => {
  const results = new WeakMap<object, Map<string, Promise<ExecutionResult>>>()
  const run = async (
    args: ExecutionArgs,
    value: object,
    callers: Callers,
  ): Promise<ExecutionResult> => {
    const contextValue = contextOf({ callers, ip: '', requestId: 'shared' })
    try {
      const result = await execute({ ...args, rootValue: value, contextValue })
      return result.errors ? { ...result, errors: mask(result.errors) } : result
    } finally {
      forget(contextValue)
    }
  }
  return (args: ExecutionArgs, view: string, callers: Callers | undefined): Render => {
    // The first one was paid when the subscription was admitted.
    let isPaid = true
    return (value) => {
      const known = results.get(value) ?? new Map<string, Promise<ExecutionResult>>()
      results.set(value, known)
      let result = known.get(view)
      if (!result) {
        const paid = isPaid || !callers ? Promise.resolve() : pay(args)
        isPaid = false
        result = paid.then(() => run(args, value, callers ?? {}))
        known.set(view, result)
      }
      return result
    }
  }
}

/** Groups the readers of a broadcast who have the same view. */
const createGroups = () => {
  const groups = new WeakMap<Broadcast<object>, Map<string, Group<object>>>()
  return (broadcast: Broadcast<object>, view: string, render: Render): Group<object> => {
    const known = groups.get(broadcast) ?? new Map<string, Group<object>>()
    groups.set(broadcast, known)
    let group = known.get(view)
    if (!group) {
      const textOf = async (value: object) => JSON.stringify(await render(value))
      group = new Group(broadcast, textOf, () => known.delete(view))
      known.set(view, group)
    }
    return group
  }
}

/**
 * Opens a subscription of a shared field; null for any other field. With a recipient, its events are sent as texts, and it ends
 * with the broadcast; without one, somebody else sends the results.
 */
export type OpenShared = (args: ExecutionArgs, recipient?: Recipient) => Promise<Results | null>

/** Shares the work of subscriptions. */
export const createSharing = (options: Options): OpenShared => {
  const { mask } = options
  const viewNameOf = createViews()
  const rendering = createRendering(options)
  const groupOf = createGroups()

  const follow = (
    { broadcast, after }: SharedStream<object>,
    view: string,
    render: Render,
    { socket, id }: Recipient,
  ): AsyncIterableIterator<never> => {
    const end = Promise.withResolvers<IteratorResult<never>>()
    const done = { done: true, value: undefined } as const
    const uncount = broadcast.enter()
    const group = groupOf(broadcast, view, render)
    const member = new Member(socket, id, after, () => {
      uncount()
      end.resolve(done)
    })
    group.join(member)
    return {
      next: () => end.promise,
      return: async () => {
        group.leave(member)
        return done
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  return async (args, recipient) => {
    const field = sharedField(args)
    if (!field) return null
    const stream = await createSourceEventStream(args)
    if (!(Symbol.asyncIterator in stream)) return { errors: mask(stream.errors ?? []) }
    const callers =
      stream instanceof SharedStream ? (stream.callers as Callers | undefined) : undefined
    const view = viewNameOf(args, field, callers)
    const render = rendering(args, view, callers)
    if (recipient && stream instanceof SharedStream) return follow(stream, view, render, recipient)
    return mapStream(stream as AsyncIterable<object>, render)
  }
}
