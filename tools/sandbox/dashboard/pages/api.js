// Speaks with /dashboard/api/. The session itself is a cookie that no script sees.

let csrf = "";
let onLoggedOut = () => {};

export function whenLoggedOut(callback) {
  onLoggedOut = callback;
}

async function call(method, path, body) {
  const response = await fetch(`api/${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : {"Content-Type": "application/json"}),
      ...(method === "GET" ? {} : {"X-CSRF-Token": csrf}),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
  }).catch(() => {
    throw new Error("The sandbox does not answer. Is it still running?");
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const error = new Error(answer.message ?? `The sandbox answered with status ${response.status}.`);
  error.status = response.status;
  if (response.status === 401 && path !== "session") onLoggedOut();
  throw error;
}

export const read = (path) => call("GET", path);
export const send = (path, body) => call("POST", path, body);
export const remove = (path, body) => call("DELETE", path, body ?? {});

export async function logIn(email, password) {
  const session = await call("POST", "session", {email, password});
  csrf = session.csrf;
  return session;
}

// Null where nobody is logged in.
export async function currentSession() {
  try {
    const session = await call("GET", "session");
    csrf = session.csrf;
    return session;
  } catch (error) {
    if (error.status === 401) return null;
    throw error;
  }
}

export const logOut = () => call("DELETE", "session", {});
