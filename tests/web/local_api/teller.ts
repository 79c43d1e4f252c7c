// A teller's program, as somebody writes it who has the document alone: its types are made from openapi.json.
import createClient from "openapi-fetch";
import type {components, paths} from "./paths";

type Check = components["schemas"]["CheckDetails"];

export class Teller {
  private readonly api;

  constructor(fetch: (request: Request) => Promise<Response>) {
    this.api = createClient<paths>({baseUrl: "http://localhost", fetch});
  }

  async isReady(): Promise<boolean> {
    const {data, error} = await this.api.GET("/v1/health");
    if (data) return data.ready;
    return "ready" in error && error.ready;
  }

  async firstReason(): Promise<string> {
    const {data} = await this.api.GET("/v1/reasons");
    return data?.reasons[0]?.code ?? "";
  }

  async ask(
    nin: string,
    reason: string,
    key: string,
  ): Promise<{reference?: string; problem?: string}> {
    const {data, error} = await this.api.POST("/v1/checks", {
      params: {header: {"Idempotency-Key": key}},
      body: {endpoint: "lookup_nin", nin, reason, case: "B-17", operator: "anna"},
    });
    return {reference: data?.reference, problem: error?.type};
  }

  async check(reference: string): Promise<Check> {
    const {data} = await this.api.GET("/v1/checks/{reference}", {params: {path: {reference}}});
    if (data === undefined) throw new Error(`no check ${reference}`);
    return data;
  }

  async end(reference: string): Promise<Check> {
    for (;;) {
      const check = await this.check(reference);
      if (check.state !== "pending" && check.state !== "sending") return check;
    }
  }

  async answer(reference: string): Promise<unknown> {
    const {data} = await this.api.GET("/v1/checks/{reference}/answer", {
      params: {path: {reference}},
    });
    return data?.answer;
  }

  async references(limit: number): Promise<string[]> {
    const all: string[] = [];
    for (let page: string | undefined; ;) {
      const {data} = await this.api.GET("/v1/checks", {params: {query: {limit, page}}});
      all.push(...(data?.checks ?? []).map((each) => each.reference));
      page = data?.next;
      if (page === undefined) return all;
    }
  }

  async resend(
    reference: string,
    confirm_price: string,
    attempts: number,
  ): Promise<{state?: string; price?: string}> {
    const {data, error} = await this.api.POST("/v1/checks/{reference}:resend", {
      params: {path: {reference}},
      body: {confirm_price, attempts},
    });
    return {state: data?.state, price: error?.price};
  }

  async holds(): Promise<string[]> {
    const {data} = await this.api.GET("/v1/holds");
    return (data?.holds ?? []).map((each) => each.id);
  }
}
