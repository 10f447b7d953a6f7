/** Caches and hubs of domains: each runtime has one of each. */
export type Singletons = Map<string, unknown>

/** Gives the one of this name that belongs to a runtime. `make` makes it when it is first asked for. */
export const singleton =
  <T, R = unknown>(name: string, make: (runtime: R) => T) =>
  (runtime: R & { singletons: Singletons }): T => {
    const { singletons } = runtime
    if (!singletons.has(name)) singletons.set(name, make(runtime))
    return singletons.get(name) as T
  }
