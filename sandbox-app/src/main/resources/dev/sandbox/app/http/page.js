// Everything that comes from the server is set as text, never as markup: a command is a stranger's.
'use strict';

const byId = id => document.getElementById(id);
const TOKEN = 'sandbox-token';
const EVERY = 2000;

async function ask(path, method) {
  const headers = {};
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.Authorization = 'Bearer ' + token;
  const response = await fetch(path, {method: method || 'GET', headers: headers, cache: 'no-store'});
  if (response.status === 401) byId('token-section').hidden = false;
  const body = await response.json();
  if (!response.ok && !body.service) throw new Error(body.message || 'the server answered ' + response.status);
  return body;
}

function cell(row, text, style) {
  const td = document.createElement('td');
  td.textContent = text === null || text === undefined ? '' : String(text);
  if (style) td.className = style;
  row.appendChild(td);
  return td;
}

function seconds(millis) {
  return millis < 10000 ? (millis / 1000).toFixed(1) + ' s' : Math.round(millis / 1000) + ' s';
}

async function showHealth() {
  const health = await ask('/health');
  const shell = health.shell_sandbox;
  byId('health').className = shell.available ? 'good' : 'bad';
  byId('health').textContent = health.status + ': '
    + (shell.available ? 'steps run in ' + shell.backend : 'nothing can run') + ' (' + shell.detail + ')';
}

async function showLive() {
  const processes = (await ask('/api/processes')).processes;
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.step : null;
  const rows = processes.map(step => {
    const row = document.createElement('tr');
    cell(row, step.id);
    cell(row, step.command, 'command');
    cell(row, step.backend);
    cell(row, step.pid);
    cell(row, seconds(step.age_ms));
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Kill';
    button.dataset.step = String(step.id);
    button.setAttribute('aria-label', 'Kill step ' + step.id);
    button.addEventListener('click', () => kill(step.id));
    cell(row, '').appendChild(button);
    return row;
  });
  byId('live').replaceChildren(...rows);
  byId('live-none').hidden = rows.length > 0;
  const again = focused ? byId('live').querySelector('button[data-step="' + CSS.escape(focused) + '"]') : null;
  if (again) again.focus();
}

async function kill(id) {
  await told(async () => {
    await ask('/api/processes/' + id, 'DELETE');
    await showLive();
  });
}

async function showRuns() {
  const runs = (await ask('/api/runs')).runs;
  byId('runs').replaceChildren(...runs.map(run => {
    const row = document.createElement('tr');
    cell(row, run.ended_at.slice(0, 19).replace('T', ' '));
    cell(row, run.command, 'command');
    cell(row, run.termination);
    cell(row, run.exit_code, run.exit_code === 0 ? 'good' : 'bad');
    cell(row, seconds(run.execution_time_ms));
    cell(row, run.denials.map(denial => denial.operation + ' ' + denial.path + ': ' + denial.rule).join('; '),
      run.denials.length ? 'bad' : '');
    return row;
  }));
}

async function showGuarantees() {
  const backends = (await ask('/api/guarantees')).backends;
  const first = byId('guarantees-head').firstElementChild;
  byId('guarantees-head').replaceChildren(first, ...backends.map(backend => {
    const th = document.createElement('th');
    th.scope = 'col';
    th.textContent = backend.name;
    return th;
  }));
  const names = backends.length ? Object.keys(backends[0].guarantees) : [];
  byId('guarantees').replaceChildren(...names.map(name => {
    const row = document.createElement('tr');
    const th = document.createElement('th');
    th.scope = 'row';
    th.textContent = name;
    row.appendChild(th);
    backends.forEach(backend => {
      const promise = backend.guarantees[name];
      cell(row, promise.held ? 'yes' : 'no: ' + promise.reason, promise.held ? 'good' : 'bad');
    });
    return row;
  }));
}

async function told(action) {
  try {
    await action();
    byId('message').textContent = '';
  } catch (problem) {
    byId('message').textContent = problem.message;
  }
}

async function refresh() {
  await told(async () => {
    await showHealth();
    await showLive();
    await showRuns();
  });
}

byId('token-form').addEventListener('submit', event => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, byId('token').value.trim());
  byId('token').value = '';
  byId('token-section').hidden = true;
  start();
});

byId('explain-form').addEventListener('submit', event => {
  event.preventDefault();
  told(async () => {
    const question = new URLSearchParams({path: byId('path').value, operation: byId('operation').value});
    const verdict = await ask('/api/explain?' + question);
    byId('verdict').className = verdict.allowed ? 'good' : 'bad';
    byId('verdict').textContent = (verdict.allowed ? 'allowed: ' : 'denied: ') + verdict.reason
      + (verdict.fix ? '; to allow it: ' + verdict.fix : '');
  });
});

async function start() {
  await refresh();
  await told(showGuarantees);
}

start();
setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
